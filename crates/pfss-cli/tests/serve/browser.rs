//! A real Chromium, driven by WebDriver.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use thirtyfour::prelude::*;

use crate::serving::leftovers;

/// A browser of its own for a test.
pub(crate) struct Browser {
    driver_process: Child,
    pub(crate) driver: WebDriver,
    pub(crate) downloads: PathBuf,
    folder: TempDir,
}

/// How a browser is set up.
#[derive(Clone, Copy, Default)]
pub(crate) struct Look {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) dark: bool,
}

/// A usual screen.
pub(crate) const DESK: Look = Look { width: 1360, height: 900, dark: false };

impl Browser {
    pub(crate) async fn start(look: Look) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut driver_process = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver is missing; ./test installs it");
        let mut lines = BufReader::new(driver_process.stdout.take().unwrap()).lines();
        let port = lines
            .find_map(|line| {
                line.ok()?
                    .split("on port ")
                    .nth(1)?
                    .trim_end_matches('.')
                    .parse::<u16>()
                    .ok()
                    .filter(|port| *port > 0)
            })
            .expect("chromedriver tells its port");
        // Whatever else it says must not fill the pipe.
        std::thread::spawn(move || lines.count());
        let downloads = folder.path().join("downloads");
        std::fs::create_dir(&downloads).unwrap();
        let mut capabilities = DesiredCapabilities::chrome();
        let profile = format!("--user-data-dir={}", folder.path().join("profile").display());
        let size = format!("--window-size={},{}", look.width, look.height);
        for argument in [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
            profile.as_str(),
            size.as_str(),
        ] {
            capabilities.add_arg(argument).unwrap();
        }
        if look.dark {
            capabilities.add_arg("--force-dark-mode").unwrap();
        }
        let preferences =
            json!({"download.default_directory": downloads, "download.prompt_for_download": false});
        capabilities.add_experimental_option("prefs", preferences).unwrap();
        let driver = WebDriver::new(format!("http://127.0.0.1:{port}"), capabilities).await.unwrap();
        // The last one that is dropped would wait for a driver that is gone.
        std::mem::forget(driver.clone());
        let browser = Self { driver_process, driver, downloads, folder };
        // A phone is narrower than a window may be, so the size and the colours are those of the emulation.
        let metrics = json!({"width": look.width, "height": look.height, "deviceScaleFactor": 1, "mobile": look.width < 500});
        browser.devtools("Emulation.setDeviceMetricsOverride", metrics).await;
        let scheme = if look.dark { "dark" } else { "light" };
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        browser.devtools("Emulation.setEmulatedMedia", features).await;
        browser
    }

    async fn devtools(&self, command: &str, parameters: Value) {
        self.driver.cdp().send_raw(command, parameters).await.unwrap();
    }

    pub(crate) async fn open(&self, url: &str) {
        self.driver.goto(url).await.unwrap();
    }

    /// Gives a file to the field of the first view.
    pub(crate) async fn give_file(&self, path: &std::path::Path) {
        self.find("#paste").await;
        let field = self.driver.find(By::Css("#file")).await.unwrap();
        field.send_keys(path.to_str().unwrap()).await.unwrap();
    }

    /// The element, once it is there and shown.
    pub(crate) async fn find(&self, css: &str) -> WebElement {
        let query = self.driver.query(By::Css(css)).wait(Duration::from_secs(15), Duration::from_millis(50));
        query.and_displayed().first().await.unwrap_or_else(|error| panic!("{css}: {error}"))
    }

    pub(crate) async fn click(&self, css: &str) {
        let element = self.find(css).await;
        element.scroll_into_view().await.unwrap();
        element.click().await.unwrap();
    }

    /// Chooses a value of a list.
    pub(crate) async fn choose(&self, css: &str, value: &str) {
        self.find(css).await;
        let script = "const list = document.querySelector(arguments[0]); list.value = arguments[1]; list.dispatchEvent(new Event('change'));";
        self.driver.execute(script, vec![json!(css), json!(value)]).await.unwrap();
    }

    pub(crate) async fn text(&self, css: &str) -> String {
        self.find(css).await.text().await.unwrap()
    }

    /// Waits until a script says yes.
    pub(crate) async fn until(&self, what: &str, script: &str) {
        let deadline = Instant::now() + Duration::from_secs(20);
        loop {
            let answer = self.script(&format!("return Boolean({script});")).await;
            if answer == json!(true) {
                return;
            }
            if Instant::now() > deadline {
                self.picture("failure").await;
                panic!("{what}: {}", self.text("main").await);
            }
            tokio::time::sleep(Duration::from_millis(40)).await;
        }
    }

    pub(crate) async fn script(&self, script: &str) -> Value {
        self.driver.execute(script, Vec::new()).await.unwrap().json().clone()
    }

    /// Leaves a picture of the page to be looked at.
    pub(crate) async fn picture(&self, name: &str) {
        let bytes = self.driver.screenshot_as_png().await.unwrap();
        std::fs::write(leftovers().join(format!("{name}.png")), bytes).unwrap();
    }

    /// Lets axe-core look for what keeps people out.
    pub(crate) async fn check_access(&self, name: &str) {
        let Some(modules) = std::env::var_os("PFSS_NODE_MODULES") else {
            panic!("PFSS_NODE_MODULES must name the folder with axe-core; ./test sets it");
        };
        let axe = std::fs::read_to_string(PathBuf::from(modules).join("axe-core/axe.min.js")).unwrap();
        self.driver.execute(axe, Vec::new()).await.unwrap();
        let script = "const done = arguments[arguments.length - 1]; \
            axe.run(document, { resultTypes: ['violations'] }).then((result) => done(result.violations.map((one) => \
            `${one.id}: ${one.help}: ${one.nodes.map((node) => node.target.join(' ') + ' ' + node.failureSummary).join('; ')}`)));";
        let found = self.driver.execute_async(script, Vec::new()).await.unwrap();
        assert_eq!(found.json(), &json!([]), "{name}");
    }

    /// A file that the browser saved, once it is whole.
    pub(crate) async fn downloaded(&self, ending: &str) -> Vec<u8> {
        let deadline = Instant::now() + Duration::from_secs(15);
        loop {
            let files = std::fs::read_dir(&self.downloads).unwrap().flatten().map(|file| file.path());
            if let Some(file) = files.into_iter().find(|file| file.to_string_lossy().ends_with(ending)) {
                return std::fs::read(file).unwrap();
            }
            assert!(Instant::now() < deadline, "no file {ending}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    pub(crate) async fn close(self) {
        let _ = self.driver.clone().quit().await;
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.driver_process.kill();
        let _ = self.driver_process.wait();
        // A test that failed must not leave a browser behind: whatever uses this profile is its.
        let profile = self.folder.path().display().to_string();
        for process in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
            let command = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
            if String::from_utf8_lossy(&command).contains(&profile) {
                let _ = Command::new("kill").args(["-KILL", &process.file_name().to_string_lossy()]).status();
            }
        }
    }
}

/// Runs a test that waits for a browser.
pub(crate) fn with_browser(test: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test);
}
