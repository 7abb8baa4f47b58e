//! The whole way of a planner, in a real browser.

/// These need Chromium and its driver, which `./test` installs.
mod needs_browser {
    use std::time::Duration;

    use serde_json::json;
    use thirtyfour::prelude::*;

    use crate::browser::{Browser, DESK, with_browser};
    use crate::serving::Serving;

    async fn place(browser: &Browser, name: &str) -> i64 {
        let script = format!(
            "return [...document.querySelectorAll('.order li')].sort((a, b) => a.dataset.position - b.dataset.position)\
             .findIndex((row) => row.querySelector('.label').textContent === '{name}') + 1;"
        );
        browser.script(&script).await.as_i64().unwrap()
    }

    #[test]
    #[ignore = "needs Chromium, its driver and axe-core; ./test installs them and runs it"]
    fn three_clicks_give_a_plan_from_an_example() {
        let server = Serving::new(&[]);
        with_browser(async {
            let browser = Browser::start(DESK).await;
            browser.open(&format!("http://{}/", server.address)).await;
            browser.find("[data-example='bakery']").await;
            browser.picture("start").await;
            browser.click("[data-example='bakery']").await;
            browser.find("#solve").await;
            browser.picture("editor").await;
            browser.click("#solve").await;
            browser.until("a plan", "document.getElementById('state')?.textContent === 'done'").await;
            browser.until("a chart", "document.querySelector('#plan-canvas')").await;
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
        let table = rows.join("\n");
        let script = "const data = new DataTransfer(); data.setData('text', arguments[0]); \
            document.getElementById('paste').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));";
        browser.find("#paste").await;
        browser.driver.execute(script, vec![json!(table)]).await.unwrap();
        let wrong = browser.find("input[aria-invalid]").await;
        assert!(browser.text(".why").await.contains("Found “soon”, expected a number"));
        assert!(!browser.find("#solve").await.is_enabled().await.unwrap());
        browser.picture("wrong-cell").await;
        wrong.send_keys(Key::Control + "a").await.unwrap();
        wrong.send_keys("17").await.unwrap();
        browser.until("mended", "!document.querySelector('input[aria-invalid]') && !document.getElementById('solve').disabled").await;
        let name = browser.find("#plan-name").await;
        name.clear().await.unwrap();
        name.send_keys("<i>Monday</i>").await.unwrap();
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
        tokio::time::sleep(Duration::from_millis(700)).await;
        browser.picture("searching").await;
        browser.click("#stop").await;
        browser.until("stopped", "document.getElementById('state').textContent === 'stopped'").await;
        assert_eq!(browser.text("h1").await, "<i>Monday</i>");
        browser.choose("#more", "2").await;
        browser.click("#continue").await;
        browser.until("goes on", "document.getElementById('state').textContent === 'searching'").await;
        browser.until("done", "document.getElementById('state').textContent === 'done'").await;
    }

    /// Moves a job by mouse and another by keys, and takes it back.
    async fn move_jobs(browser: &Browser) {
        browser.until("the order", "document.querySelectorAll('.order li').length > 5").await;
        let first = browser.text(".order li[data-position='0'] .label").await;
        let handle = browser.find(".order li[data-position='0'] .handle").await;
        handle.scroll_into_view().await.unwrap();
        browser
            .driver
            .action_chain()
            .move_to_element_center(&handle)
            .click_and_hold()
            .move_by_offset(0, 30)
            .move_by_offset(0, 92)
            .release()
            .perform()
            .await
            .unwrap();
        browser
            .until("a price", "document.getElementById('cost').textContent.includes('the found order')")
            .await;
        assert_eq!(place(browser, &first).await, 4);
        browser.picture("moved").await;
        let handle = browser.find(".order li[data-position='3'] .handle").await;
        handle.send_keys(Key::Up + Key::Up).await.unwrap();
        assert_eq!(place(browser, &first).await, 2);
        browser.click("#undo").await;
        assert_eq!(place(browser, &first).await, 3);
        browser.click(".order li[data-position='2'] .pin").await;
        let pinned = browser.find(".order li[data-position='2'] .handle").await;
        pinned.send_keys(Key::Down).await.unwrap();
        assert_eq!(place(browser, &first).await, 3, "a pinned job keeps its place");
        let before = browser.driver.current_url().await.unwrap();
        browser.click("#improve").await;
        browser
            .until(
                "another plan",
                &format!(
                    "location.href !== '{before}' && document.getElementById('state')?.textContent === 'done'"
                ),
            )
            .await;
        browser.until("its order", "document.querySelectorAll('.order li').length > 5").await;
        assert_eq!(place(browser, &first).await, 3, "a pinned job keeps its place in the search");
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
        browser.driver.refresh().await.unwrap();
        browser
            .until(
                "the plan is back",
                &format!("document.getElementById('fact-value')?.textContent === '{value}'"),
            )
            .await;
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
        assert!(browser.text("#difference").await.contains("at another place"));
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
            browser.find("#token-field").await.send_keys("wrong-horse-battery" + Key::Enter).await.unwrap();
            browser.find("#token-wrong").await;
            browser.picture("token").await;
            browser.find("#token-field").await.send_keys("correct-horse-battery" + Key::Enter).await.unwrap();
            browser.find("[data-example='bakery']").await;
            browser.driver.refresh().await.unwrap();
            browser.find("[data-example='bakery']").await;
            browser.close().await;
        });
    }
}
