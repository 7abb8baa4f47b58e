//! The whole way of a planner, in a real browser.

/// These need Chromium and its driver, which `./test` installs.
mod needs_browser {
    use thirtyfour::prelude::Key;

    use crate::browser::{Browser, DESK, with_browser};
    use crate::serving::Serving;

    /// Waits until a job stands at a place.
    async fn stands_at(browser: &Browser, name: &str, place: usize) {
        let row = format!(".order li[data-position='{}'] .label", place - 1);
        let script = format!("document.querySelector(\"{row}\")?.textContent === '{name}'");
        browser.until(&format!("{name} at place {place}"), &script).await;
    }

    #[test]
    #[ignore = "needs Chromium, its driver and axe-core; ./test installs them and runs it"]
    fn three_clicks_give_a_plan_from_an_example() {
        let server = Serving::new(&[]);
        with_browser(async {
            let browser = Browser::start(DESK).await;
            browser.open(&format!("http://{}/", server.address)).await;
            browser.shown("[data-example='bakery']").await;
            browser.picture("start").await;
            browser.click("[data-example='bakery']").await;
            browser.shown("#solve").await;
            browser.picture("editor").await;
            browser.click("#solve").await;
            browser.plan_is_done().await;
            assert_eq!(browser.text("#fact-gap").await, "0 %");
            browser.picture("plan").await;
            browser.close().await;
        });
    }

    #[test]
    #[ignore = "needs Chromium, its driver and axe-core; ./test installs them and runs it"]
    fn the_whole_way_of_a_planner() {
        let server = Serving::new(&[]);
        with_browser(async {
            let browser = Browser::start(DESK).await;
            browser.open(&format!("http://{}/", server.address)).await;
            paste_and_mend(&browser).await;
            solve_and_stop(&browser).await;
            move_jobs(&browser).await;
            take_files(&browser).await;
            come_back(&browser, &server).await;
            browser.close().await;
        });
    }

    /// Pastes a table with a wrong cell and mends it.
    async fn paste_and_mend(browser: &Browser) {
        // Fifty jobs on twenty machines keep a search busy; one cell is no number.
        let machines: Vec<String> = (1..=20).map(|machine| format!("m{machine}")).collect();
        let mut rows = vec![format!("job;{}", machines.join(";"))];
        let mut state = 7u64;
        for job in 0..50 {
            let times = (0..20).map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (1 + (state >> 33) % 99).to_string()
            });
            rows.push(format!("part {job};{}", times.collect::<Vec<_>>().join(";")));
        }
        rows[3] = rows[3].replacen(&rows[3].split(';').nth(2).unwrap().to_string(), "soon", 1);
        browser.paste(&rows.join("\n")).await;
        browser.reads(".why", "Found “soon”, expected a number").await;
        browser.until("nothing to solve", "document.getElementById('solve').disabled").await;
        browser.picture("wrong-cell").await;
        browser.fill("input[aria-invalid]", "17").await;
        browser.until("mended", "!document.querySelector('input[aria-invalid]') && !document.getElementById('solve').disabled").await;
        browser.fill("#plan-name", "<i>Monday</i>").await;
    }

    /// Watches the value fall, stops, goes on.
    async fn solve_and_stop(browser: &Browser) {
        browser.choose("#time", "60").await;
        browser.click("#solve").await;
        browser
            .until("a first plan", "document.getElementById('fact-value')?.textContent.match(/\\d/)")
            .await;
        let points = "document.querySelector('.course-value')?.getAttribute('d').split('V').length";
        browser.until("the value falls", &format!("{points} > 2")).await;
        browser.picture("searching").await;
        browser.click("#stop").await;
        browser.until("stopped", "document.getElementById('state').textContent === 'stopped'").await;
        assert_eq!(browser.text("h1").await, "<i>Monday</i>");
        browser.choose("#more", "2").await;
        browser.click("#continue").await;
        browser.plan_is_done().await;
    }

    /// Moves a job by mouse and another by keys, and takes it back.
    async fn move_jobs(browser: &Browser) {
        let first = browser.text(".order li[data-position='0'] .label").await;
        browser.drag_down(".order li[data-position='0'] .handle", &[30, 92]).await;
        browser.reads("#cost", "the found order").await;
        stands_at(browser, &first, 4).await;
        browser.picture("moved").await;
        browser.press(".order li[data-position='3'] .handle", Key::Up).await;
        stands_at(browser, &first, 3).await;
        browser.press(".order li[data-position='2'] .handle", Key::Up).await;
        stands_at(browser, &first, 2).await;
        browser.click("#undo").await;
        stands_at(browser, &first, 3).await;
        browser.click(".order li[data-position='2'] .pin").await;
        browser.shown(".order li[data-position='2'].pinned").await;
        browser.press(".order li[data-position='2'] .handle", Key::Down).await;
        // A pinned job keeps its place.
        stands_at(browser, &first, 3).await;
        let before = browser.script("return location.href;").await;
        browser.click("#improve").await;
        browser.until("another plan", &format!("location.href !== {before}")).await;
        browser.plan_is_done().await;
        // In the search, too.
        stands_at(browser, &first, 3).await;
    }

    /// Saves every file.
    async fn take_files(browser: &Browser) {
        browser.click("summary").await;
        for (name, beginning) in [
            ("order.txt", "part"),
            ("schedule.csv", "job,machine"),
            ("schedule.xlsx", "PK"),
            ("gantt.svg", "<svg"),
            ("gantt.html", "<!doctype html>"),
            ("schedule.json", "{"),
            ("instance.json", "{\"schema\""),
            ("gantt.png", "\u{89}PNG"),
            ("result.json", "{"),
        ] {
            browser.click(&format!("[data-export='{name}']")).await;
            let content = browser.downloaded(name).await;
            let start: String = content.iter().take(16).map(|byte| char::from(*byte)).collect();
            assert!(start.starts_with(beginning), "{name}: {start:?}");
        }
    }

    /// Reloads, finds the plan in the list, compares two.
    async fn come_back(browser: &Browser, server: &Serving) {
        let value = browser.text("#fact-value").await;
        browser.reload().await;
        browser.reads("#fact-value", &value).await;
        browser.open(&format!("http://{}/#/plans", server.address)).await;
        browser.until("two plans", "document.querySelectorAll('.plans tbody tr').length === 2").await;
        browser.picture("plans").await;
        browser.click(".plans tbody tr:nth-child(1) input").await;
        browser.click(".plans tbody tr:nth-child(2) input").await;
        browser.click("#compare").await;
        browser
            .until(
                "two charts",
                "document.querySelector('#left-canvas') && document.querySelector('#right-canvas')",
            )
            .await;
        browser.reads("#difference", "at another place").await;
        browser.picture("compare").await;
    }

    #[test]
    #[ignore = "needs Chromium, its driver and axe-core; ./test installs them and runs it"]
    fn the_token_is_asked_for_once() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("token");
        std::fs::write(&file, "correct-horse-battery\n").unwrap();
        let server = Serving::new(&["--token-file", file.to_str().unwrap()]);
        with_browser(async {
            let browser = Browser::start(DESK).await;
            browser.open(&format!("http://{}/", server.address)).await;
            browser.fill("#token-field", "wrong-horse-battery").await;
            browser.press("#token-field", Key::Enter).await;
            browser.shown("#token-wrong").await;
            browser.picture("token").await;
            browser.fill("#token-field", "correct-horse-battery").await;
            browser.press("#token-field", Key::Enter).await;
            browser.shown("[data-example='bakery']").await;
            browser.reload().await;
            browser.shown("[data-example='bakery']").await;
            browser.close().await;
        });
    }
}
