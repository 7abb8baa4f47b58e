//! What no column of a table holds (breaks, precedences, times of day) comes through the page unharmed.

mod needs_browser {
    use serde_json::json;

    use crate::browser::{Browser, DESK, with_browser};
    use crate::serving::Serving;

    #[test]
    #[ignore = "needs Chromium, its driver and axe-core; ./test installs them and runs it"]
    fn the_bakery_s_orders_are_planned_with_all_their_rules() {
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bakery-orders.json");
        let server = Serving::new(&[]);
        with_browser(async {
            let browser = Browser::start(DESK).await;
            browser.open(&format!("http://{}/", server.address)).await;
            browser.give_file(&file.canonicalize().unwrap()).await;
            // Times of day mean nothing before it is said when the plan begins.
            browser.reads("#verdict", "Say when the plan begins").await;
            browser.until("nothing to solve", "document.getElementById('solve').disabled").await;
            for rule in [
                "oven stands still from 05:00 to 05:20, from 07:15 to 07:45",
                "pack is free from 04:15",
                "spelt roll comes before brioche",
            ] {
                browser.reads(".rules", rule).await;
            }
            browser.picture("rules-missing-start").await;
            let begin = "const field = document.getElementById('start-at'); field.value = '2026-11-16T03:30'; field.dispatchEvent(new Event('input'));";
            browser.script(begin).await;
            browser.check_access("rules").await;
            browser.picture("rules").await;
            browser.click("#solve").await;
            browser.plan_is_done().await;
            browser.picture("rules-plan").await;
            // The command line finds the same from the file.
            let list = server.get("/api/v1/jobs").expect(200);
            let job = server.job(list["jobs"][0]["id"].as_str().unwrap());
            assert_eq!(job["objective"], "total-tardiness,makespan");
            let folder = tempfile::tempdir().unwrap();
            let schedule = folder.path().join("schedule.csv");
            let output = std::process::Command::new(env!("CARGO_BIN_EXE_pfss"))
                .args(["solve", "--json", "--start-at", "2026-11-16T03:30", "--unit", "min", "-t", "5"])
                .arg("--schedule")
                .arg(&schedule)
                .arg(&file)
                .output()
                .unwrap();
            let record: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!((&job["value"], &job["gap"]), (&record["value"], &json!(0.0)), "{record}");
            let csv =
                server.get(&format!("/api/v1/jobs/{}/schedule.csv", job["id"].as_str().unwrap())).text();
            assert!(csv.contains("2026-11-16T0"), "{csv}");
            // An order that is kept by hand keeps the clock.
            browser.press(".order li[data-position='0'] .handle", thirtyfour::Key::Down).await;
            browser.until("a price", "document.getElementById('cost').textContent.length > 0").await;
            browser.picture("rules-moved").await;
            browser.close().await;
        });
    }
}
