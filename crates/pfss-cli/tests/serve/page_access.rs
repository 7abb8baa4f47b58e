//! Every state of the page, for everybody: axe-core finds nothing, in light and dark, on a desk and on a phone.

mod needs_browser {
    use serde_json::json;

    use crate::browser::{Browser, Look, with_browser};
    use crate::serving::{SMALL, Serving};

    fn look_at_everything(name: &str, look: Look) {
        let server = Serving::new(&[]);
        let ids: Vec<String> = (0..2)
            .map(|seed| {
                let reply = server.post_csv(&format!("?name=shop.csv&time_limit=1&seed={seed}"), SMALL);
                let id = reply.expect(202)["id"].as_str().unwrap().to_string();
                server.wait_ended(&id);
                id
            })
            .collect();
        let hard = server.submit_hard(json!({"time_limit": "1s"}));
        server.wait_ended(&hard);
        with_browser(async {
            let browser = Browser::start(look).await;
            let home = format!("http://{}/", server.address);
            browser.open(&home).await;
            browser.shown("[data-example='bakery']").await;
            browser.check_access(&format!("{name}: start")).await;
            browser.picture(&format!("{name}-start")).await;
            browser.click("[data-example='paint shop']").await;
            browser.shown("#solve").await;
            browser.fill("input[data-r='1'][data-c='1']", "x").await;
            browser.shown(".why").await;
            browser.check_access(&format!("{name}: editor")).await;
            browser.picture(&format!("{name}-editor")).await;
            for (view, wanted, label) in [
                (format!("plan/{hard}"), "#plan-canvas", "plan"),
                ("plans".to_string(), ".plans tbody tr", "plans"),
                (format!("compare/{}/{hard}", ids[0]), "#right-canvas", "compare"),
                ("plan/nobody".to_string(), "[role=alert]", "missing"),
            ] {
                browser.open(&format!("{home}#/{view}")).await;
                browser.shown(wanted).await;
                if label == "plan" {
                    browser.click("summary").await;
                }
                browser.check_access(&format!("{name}: {label}")).await;
                browser.picture(&format!("{name}-{label}")).await;
                let too_wide =
                    browser.script("return document.documentElement.scrollWidth - window.innerWidth;").await;
                assert!(too_wide.as_i64().unwrap() <= 0, "{name}: {label} is too wide by {too_wide}");
            }
            browser.close().await;
        });
    }

    #[test]
    #[ignore = "needs Chromium, its driver and axe-core; ./test installs them and runs it"]
    fn on_a_desk() {
        look_at_everything("desk", Look { width: 1360, height: 900, dark: false });
    }

    #[test]
    #[ignore = "needs Chromium, its driver and axe-core; ./test installs them and runs it"]
    fn in_the_dark() {
        look_at_everything("dark", Look { width: 1360, height: 900, dark: true });
    }

    #[test]
    #[ignore = "needs Chromium, its driver and axe-core; ./test installs them and runs it"]
    fn on_a_phone() {
        look_at_everything("phone", Look { width: 390, height: 844, dark: false });
    }
}
