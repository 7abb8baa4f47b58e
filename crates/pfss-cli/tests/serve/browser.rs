//! A real Chromium, driven by WebDriver.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use thirtyfour::error::WebDriverErrorInner;
use thirtyfour::prelude::*;

use crate::serving::leftovers;

/// After so long a test gives up on a state of the page. Tests wait for states, so this only bounds one that never comes.
const PATIENCE: Duration = Duration::from_secs(120);

/// Between two looks at the page.
const LOOK: Duration = Duration::from_millis(40);

/// A browser of its own for a test.
///
/// No element is handed out: the page replaces its elements as plans improve, so each action looks its element up, and
/// does so again where it went stale, or was not yet shown.
pub(crate) struct Browser {
    driver_process: Child,
    driver: WebDriver,
    downloads: PathBuf,
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
        driver.set_script_timeout(PATIENCE).await.unwrap();
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

    /// Loads the page again.
    pub(crate) async fn reload(&self) {
        self.driver.refresh().await.unwrap();
    }

    /// Gives a file to the field of the first view.
    pub(crate) async fn give_file(&self, path: &std::path::Path) {
        self.shown("#paste").await;
        let field = self.driver.find(By::Css("#file")).await.unwrap();
        field.send_keys(path.to_str().unwrap()).await.unwrap();
    }

    /// Does something with an element, once it is there and shown.
    async fn with<T>(&self, css: &str, act: impl AsyncFn(&WebElement) -> WebDriverResult<T>) -> T {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let found = async {
                let element = self.driver.find(By::Css(css)).await?;
                if element.is_displayed().await? { act(&element).await.map(Some) } else { Ok(None) }
            };
            let why = match found.await {
                Ok(Some(answer)) => return answer,
                Ok(None) => "is not shown".to_string(),
                Err(error) if is_passing(&error) => error.to_string(),
                Err(error) => panic!("{css}: {error}"),
            };
            if Instant::now() > deadline {
                self.picture("failure").await;
                panic!("{css}: {why}");
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Waits until an element is there and shown.
    pub(crate) async fn shown(&self, css: &str) {
        self.with(css, async |_| Ok(())).await;
    }

    pub(crate) async fn click(&self, css: &str) {
        self.with(css, async |element| {
            element.scroll_into_view().await?;
            element.click().await
        })
        .await;
    }

    /// Presses a key while the element has the focus.
    pub(crate) async fn press(&self, css: &str, key: Key) {
        let key = char::from(key).to_string();
        self.with(css, async |element| element.send_keys(&key).await).await;
    }

    /// Writes a text in the place of what a field holds.
    pub(crate) async fn fill(&self, css: &str, text: &str) {
        self.with(css, async |element| {
            element.clear().await?;
            element.send_keys(text).await
        })
        .await;
    }

    /// Takes an element with the mouse and leaves it further down, in steps of so many pixels.
    pub(crate) async fn drag_down(&self, css: &str, steps: &[i64]) {
        self.with(css, async |element| {
            element.scroll_into_view().await?;
            let grabbed = self.driver.action_chain().move_to_element_center(element).click_and_hold();
            let moved = steps.iter().fold(grabbed, |chain, &step| chain.move_by_offset(0, step));
            moved.release().perform().await
        })
        .await;
    }

    /// Chooses a value of a list.
    pub(crate) async fn choose(&self, css: &str, value: &str) {
        self.shown(css).await;
        let script = "const list = document.querySelector(arguments[0]); list.value = arguments[1]; list.dispatchEvent(new Event('change'));";
        self.run_script(script, vec![json!(css), json!(value)]).await;
    }

    /// Puts a table where tables are pasted.
    pub(crate) async fn paste(&self, table: &str) {
        let script = "const data = new DataTransfer(); data.setData('text', arguments[0]); \
            document.getElementById('paste').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));";
        self.shown("#paste").await;
        self.run_script(script, vec![json!(table)]).await;
    }

    pub(crate) async fn text(&self, css: &str) -> String {
        self.with(css, WebElement::text).await
    }

    /// Waits until a text contains a part.
    pub(crate) async fn reads(&self, css: &str, part: &str) {
        let (css, part) = (json!(css), json!(part));
        let script = format!("document.querySelector({css})?.innerText.includes({part})");
        self.until(&format!("{css} with {part}"), &script).await;
    }

    /// Waits until a script says yes.
    pub(crate) async fn until(&self, what: &str, script: &str) {
        let deadline = Instant::now() + PATIENCE;
        while self.script(&format!("return Boolean({script});")).await != json!(true) {
            if Instant::now() > deadline {
                self.picture("failure").await;
                panic!("{what}: {}", self.text("main").await);
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Waits until a search is over and the page shows what it found.
    pub(crate) async fn plan_is_done(&self) {
        let script = "document.getElementById('state')?.textContent === 'done' && !document.querySelector('[aria-busy=true]') \
            && document.querySelector('#plan-canvas') && document.querySelector('.order li')";
        self.until("a plan that is done and shown", script).await;
    }

    pub(crate) async fn script(&self, script: &str) -> Value {
        self.run_script(script, Vec::new()).await
    }

    async fn run_script(&self, script: &str, arguments: Vec<Value>) -> Value {
        self.driver.execute(script, arguments).await.unwrap().json().clone()
    }

    /// What a script hands to its last argument, a function.
    pub(crate) async fn script_answers(&self, script: &str) -> Value {
        self.driver.execute_async(script, Vec::new()).await.unwrap().json().clone()
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
        self.script(&axe).await;
        let script = "const done = arguments[arguments.length - 1]; \
            axe.run(document, { resultTypes: ['violations'] }).then((result) => done(result.violations.map((one) => \
            `${one.id}: ${one.help}: ${one.nodes.map((node) => node.target.join(' ') + ' ' + node.failureSummary).join('; ')}`)));";
        assert_eq!(self.script_answers(script).await, json!([]), "{name}");
    }

    /// A file that the browser saved, once it is whole: until then it has another name, or is an empty one that keeps the place.
    pub(crate) async fn downloaded(&self, ending: &str) -> Vec<u8> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let files = std::fs::read_dir(&self.downloads).unwrap().flatten().map(|file| file.path());
            let named = files.into_iter().find(|file| file.to_string_lossy().ends_with(ending));
            if let Some(content) =
                named.map(|file| std::fs::read(file).unwrap()).filter(|content| !content.is_empty())
            {
                return content;
            }
            assert!(Instant::now() < deadline, "no file {ending}");
            tokio::time::sleep(LOOK).await;
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

/// Whether the page may be about to become what is looked for: the same action may go through a moment later.
fn is_passing(error: &WebDriverError) -> bool {
    matches!(
        error.as_inner(),
        WebDriverErrorInner::NoSuchElement(_)
            | WebDriverErrorInner::StaleElementReference(_)
            | WebDriverErrorInner::ElementNotInteractable(_)
            | WebDriverErrorInner::ElementClickIntercepted(_)
    )
}

/// Runs a test that waits for a browser.
pub(crate) fn with_browser(test: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test);
}
