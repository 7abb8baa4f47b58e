//! The chart of many jobs stays smooth while it is zoomed and moved.

mod needs_browser {
    use std::fmt::Write;
    use std::time::Instant;

    use serde_json::Value;

    use crate::browser::{Browser, DESK, with_browser};
    use crate::serving::Serving;

    /// Zooms in and out, then drags to and fro, sixty frames each. Gives how many shapes a frame draws (median, most) and how long
    /// its script takes (median, longest, in milliseconds).
    const MEASURE: &str = "const done = arguments[arguments.length - 1], canvas = document.getElementById('plan-canvas'), box = canvas.getBoundingClientRect(); \
        let shapes = 0; const context = CanvasRenderingContext2D.prototype; \
        for (const name of ['fillRect', 'strokeRect', 'clearRect', 'fillText', 'strokeText', 'fill', 'stroke', 'lineTo', 'rect', 'arc', 'drawImage', 'putImageData']) { \
          const draw = context[name]; context[name] = function (...words) { shapes++; return draw.apply(this, words); }; } \
        const draws = [], counts = [], ask = window.requestAnimationFrame.bind(window); \
        window.requestAnimationFrame = (work) => ask((now) => { const begin = performance.now(); shapes = 0; work(now); draws.push(performance.now() - begin); counts.push(shapes); }); \
        const x = box.left + box.width / 2, y = box.top + 50; \
        const wheel = (deltaY) => canvas.dispatchEvent(new WheelEvent('wheel', { deltaY, clientX: x, clientY: y, cancelable: true })); \
        const point = (type, dx) => canvas.dispatchEvent(new PointerEvent(type, { pointerId: 1, button: 0, buttons: 1, clientX: x + dx, clientY: y, bubbles: true, cancelable: true })); \
        canvas.setPointerCapture = () => {}; \
        let frame = 0; \
        (function next() { frame++; \
          if (frame <= 60) wheel(frame % 60 < 30 ? -60 : 60); \
          else if (frame === 61) { for (let i = 0; i < 12; i++) wheel(-100); point('pointerdown', 0); } \
          else if (frame <= 120) point('pointermove', 200 * Math.sin(frame / 10)); \
          else { point('pointerup', 0); const sorted = (list) => list.sort((a, b) => a - b), at = (list, share) => list[Math.min(list.length - 1, Math.floor(share * list.length))]; \
            sorted(counts); sorted(draws); return done([at(counts, 0.5), at(counts, 1), at(draws, 0.5), at(draws, 1)]); } \
          ask(next); })();";

    /// So few shapes are drawn in a few milliseconds. Frames and seconds depend on what else this machine does, and on its lack
    /// of a graphics card: they are told, and looked at by people.
    const MOST_SHAPES: f64 = 10_000.0;

    async fn draws_little(browser: &Browser, what: &str) {
        let measured = browser.script_answers(MEASURE).await;
        let number = |at: usize| measured[at].as_f64().unwrap_or_else(|| panic!("{what}: {measured}"));
        eprintln!(
            "{what}: {} shapes a frame, {} at most; drawing: median {:.1} ms, longest {:.1} ms",
            number(0),
            number(1),
            number(2),
            number(3)
        );
        assert!(number(0) > 10.0, "{what}: nothing is drawn: {measured}");
        assert!(number(1) <= MOST_SHAPES, "{what}: {} shapes in a frame", number(1));
    }

    #[test]
    #[ignore = "needs Chromium, its driver and axe-core; ./test installs them and runs it"]
    fn ten_thousand_bars_stay_smooth() {
        let server = Serving::new(&[]);
        with_browser(async {
            let browser = Browser::start(DESK).await;
            browser.open(&format!("http://{}/", server.address)).await;
            browser.click("[data-example='ta112']").await;
            browser.choose("#time", "2").await;
            browser.click("#solve").await;
            browser.plan_is_done().await;
            browser.picture("large").await;
            draws_little(&browser, "500 x 20").await;
            browser.close().await;
        });
    }

    #[test]
    #[ignore = "needs Chromium, its driver and axe-core; ./test installs them and runs it"]
    fn a_hundred_thousand_jobs_are_drawn_together_and_stay_smooth() {
        const JOBS: u64 = 100_000;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("huge.csv");
        let mut table = String::from("job,m1,m2,m3,m4,m5\n");
        let mut state = 11u64;
        for job in 0..JOBS {
            write!(table, "j{job}").unwrap();
            for _ in 0..5 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                write!(table, ",{}", 1 + (state >> 33) % 99).unwrap();
            }
            table.push('\n');
        }
        std::fs::write(&file, table).unwrap();
        let server = Serving::new(&[]);
        with_browser(async {
            let browser = Browser::start(DESK).await;
            browser.open(&format!("http://{}/", server.address)).await;
            let begin = Instant::now();
            browser.give_file(&file).await;
            browser
                .until(
                    "a table",
                    "document.getElementById('verdict')?.textContent.startsWith('100,000 jobs')",
                )
                .await;
            eprintln!("the table is shown after {:.1} s", begin.elapsed().as_secs_f64());
            browser.choose("#time", "2").await;
            browser.click("#solve").await;
            let begin = Instant::now();
            browser.until("a chart", "document.querySelector('#plan-canvas')").await;
            eprintln!("the first chart is shown after {:.1} s", begin.elapsed().as_secs_f64());
            browser.plan_is_done().await;
            browser.picture("huge").await;
            draws_little(&browser, "100,000 x 5").await;
            // Far in, single jobs are seen, and one of them is found by its name.
            let zoom = "const canvas = document.getElementById('plan-canvas'), box = canvas.getBoundingClientRect(); \
                for (let i = 0; i < 60; i++) canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: -100, clientX: box.left + 400, clientY: box.top + 60, cancelable: true }));";
            browser.script(zoom).await;
            browser.fill("#plan-search", "j77777").await;
            browser.reads("#plan-found", "j77777").await;
            browser.press("#plan-search", thirtyfour::Key::Enter).await;
            browser.until("it is shown", "!document.getElementById('plan-tip').hidden").await;
            browser.picture("huge-zoomed").await;
            let order: Value = browser.script("return document.querySelectorAll('.order li').length;").await;
            assert!(order.as_u64().unwrap() < 60, "only rows in sight exist: {order}");
            browser.close().await;
        });
    }
}
