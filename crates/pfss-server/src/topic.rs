//! What is told about a job while it lives, and to whom.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use serde_json::{Value, json};
use tokio::sync::watch;

use crate::job::{Known, Point, State, number};
use crate::store::Row;

/// More moments than this are thinned out: nobody sees as many in a chart.
const MOST_POINTS: usize = 2000;

/// One event, as it is sent.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Event {
    /// Its number; none where it repeats what is known.
    pub(crate) id: Option<u64>,
    /// `improvement`, `bound` or `state`.
    pub(crate) name: &'static str,
    /// Its content.
    pub(crate) data: Value,
}

/// What is told about one job. Only what the store keeps is told.
pub(crate) struct Topic {
    live: Mutex<Live>,
    version: watch::Sender<u64>,
}

struct Live {
    state: State,
    objective: String,
    time_limit_s: Option<f64>,
    known: Known,
    message: Option<String>,
    points: Vec<Point>,
    last: u64,
    state_changed_at: u64,
    is_deleted: bool,
    /// When the search that runs began, and how many seconds were searched before.
    search: Option<(Instant, f64)>,
    /// How many seconds were searched, once the search has ended.
    searched: Option<f64>,
}

impl Topic {
    fn new(row: &Row) -> Self {
        let points = row.points();
        let last = points.last().map_or(0, |point| point.id);
        let live = Live {
            state: row.state,
            objective: row.objective.clone(),
            time_limit_s: row.time_limit_s,
            known: row.known.clone(),
            message: row.message.clone(),
            points,
            last,
            state_changed_at: 0,
            is_deleted: false,
            search: None,
            searched: None,
        };
        Self { live: Mutex::new(live), version: watch::Sender::new(0) }
    }

    /// The moments so far with one more, as the store keeps them; they are told once [`Topic::tell`] is called.
    pub(crate) fn with_point(&self, known: &Known) -> Vec<Point> {
        let live = self.lock();
        let mut points = live.points.clone();
        let &Known { runtime_s, value, bound, status, .. } = known;
        points.push(Point { id: live.last + 1, runtime_s, value, bound, status });
        thin(&mut points);
        points
    }

    /// Tells what the store now keeps.
    pub(crate) fn tell(&self, known: Known, points: Vec<Point>) {
        let mut live = self.lock();
        live.last = points.last().map_or(live.last, |point| point.id.max(live.last));
        (live.known, live.points) = (known, points);
        drop(live);
        self.wake();
    }

    /// Tells that the job is in another state.
    pub(crate) fn tell_state(&self, state: State, message: Option<String>) {
        let mut live = self.lock();
        (live.state, live.message) = (state, message);
        live.last += 1;
        live.state_changed_at = live.last;
        if state != State::Running {
            (live.search, live.searched) = (None, None);
        }
        drop(live);
        self.wake();
    }

    /// A search begins after this many seconds of earlier ones.
    pub(crate) fn search_begins(&self, before_s: f64) {
        let mut live = self.lock();
        (live.search, live.searched) = (Some((Instant::now(), before_s)), None);
    }

    /// The search has ended; its answer may have to wait for the store.
    pub(crate) fn search_ended(&self) {
        let mut live = self.lock();
        live.searched = Some(live.runtime_s());
    }

    /// Seconds of search until now.
    pub(crate) fn runtime_s(&self) -> f64 {
        self.lock().runtime_s()
    }

    /// Notes another time limit, before the state changes.
    pub(crate) fn set_time_limit(&self, time_limit_s: Option<f64>) {
        self.lock().time_limit_s = time_limit_s;
    }

    /// Tells that the job is forgotten, which ends every stream.
    pub(crate) fn tell_deleted(&self) {
        self.lock().is_deleted = true;
        self.wake();
    }

    /// Is woken by everything that is told.
    pub(crate) fn subscribe(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }

    /// Where the job stands.
    pub(crate) fn state(&self) -> State {
        self.lock().state
    }

    /// The present state as an event that repeats what is known, and the number of the last event.
    pub(crate) fn present(&self) -> (Event, u64) {
        let live = self.lock();
        (Event { id: None, name: "state", data: live.state_data() }, live.last)
    }

    /// What was told after the event of this number, in order, and whether more may follow.
    pub(crate) fn since(&self, id: u64) -> (Vec<Event>, bool) {
        let live = self.lock();
        let first = live.points.partition_point(|point| point.id <= id);
        let mut events = Vec::new();
        for index in first..live.points.len() {
            let point = &live.points[index];
            let before = index.checked_sub(1).and_then(|before| live.points[before].value);
            let name = if point.value == before { "bound" } else { "improvement" };
            events.push(Event { id: Some(point.id), name, data: live.point_data(point, name) });
        }
        if live.state_changed_at > id {
            let at = events.partition_point(|event| event.id < Some(live.state_changed_at));
            let event = Event { id: Some(live.state_changed_at), name: "state", data: live.state_data() };
            events.insert(at, event);
        }
        (events, live.state.is_open() && !live.is_deleted)
    }

    fn wake(&self) {
        self.version.send_modify(|version| *version += 1);
    }

    fn lock(&self) -> MutexGuard<'_, Live> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Live {
    fn runtime_s(&self) -> f64 {
        let known = self.known.runtime_s;
        if let Some(searched) = self.searched {
            return searched;
        }
        self.search.map_or(known, |(began, before)| known.max(before + began.elapsed().as_secs_f64()))
    }

    fn state_data(&self) -> Value {
        let known = &self.known;
        let mut data = json!({
            "state": self.state,
            "objective": self.objective,
            "value": known.value.and_then(number),
            "makespan": known.makespan.and_then(number),
            "bound": known.bound.and_then(number),
            "gap": known.gap(),
            "status": known.status,
            "runtime_s": self.runtime_s(),
            "time_limit_s": self.time_limit_s,
        });
        if let Some(message) = &self.message {
            data["message"] = Value::from(message.as_str());
        }
        data
    }

    fn point_data(&self, point: &Point, name: &str) -> Value {
        let known = Known { value: point.value, bound: point.bound, ..Known::default() };
        let mut data = json!({
            "bound": point.bound.and_then(number),
            "value": point.value.and_then(number),
            "gap": known.gap(),
            "status": point.status,
            "runtime_s": point.runtime_s,
        });
        if name == "bound" {
            return data;
        }
        // The makespan of an earlier moment is only known where it is what was minimised.
        let is_last = self.points.last().is_some_and(|last| last.id == point.id);
        let makespan = match self.objective.as_str() {
            "makespan" => point.value,
            _ if is_last => self.known.makespan,
            _ => None,
        };
        data["makespan"] = json!(makespan.and_then(number));
        data
    }
}

/// Drops every second moment of the older half where there are too many.
fn thin(points: &mut Vec<Point>) {
    if points.len() > MOST_POINTS {
        let half = points.len() / 2;
        let mut index = 0;
        points.retain(|_| {
            index += 1;
            index > half || index % 2 == 1
        });
    }
}

/// The topics of jobs that live or that somebody watches.
#[derive(Default)]
pub(crate) struct Topics(Mutex<HashMap<String, Arc<Topic>>>);

impl Topics {
    /// The topic of a job.
    pub(crate) fn of(&self, row: &Row) -> Arc<Topic> {
        const MANY: usize = 512;
        let mut topics = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if topics.len() > MANY {
            topics.retain(|_, topic| topic.state().is_open() || Arc::strong_count(topic) > 1);
        }
        Arc::clone(topics.entry(row.id.clone()).or_insert_with(|| Arc::new(Topic::new(row))))
    }

    /// Seconds of search of a job until now.
    pub(crate) fn runtime_s(&self, row: &Row) -> f64 {
        if row.state != State::Running {
            return row.known.runtime_s;
        }
        let topics = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        topics.get(&row.id).map_or(row.known.runtime_s, |topic| topic.runtime_s())
    }

    /// Forgets a job's topic, and tells those who watch.
    pub(crate) fn delete(&self, id: &str) {
        let topic = self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
        if let Some(topic) = topic {
            topic.tell_deleted();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Status;

    fn topic() -> Topic {
        Topic::new(&Row {
            number: 1,
            id: "a".into(),
            name: "x".into(),
            num_jobs: 2,
            num_machines: 2,
            created_at: 0,
            state: State::Queued,
            message: None,
            objective: "makespan".into(),
            options: "{}".into(),
            time_limit_s: Some(1.0),
            round: 0,
            round_base_s: 0.0,
            known: Known::default(),
            history: "[]".into(),
        })
    }

    fn known(value: f64, bound: f64) -> Known {
        let status = Some(Status::Feasible);
        Known { value: Some(value), makespan: Some(value), bound: Some(bound), status, runtime_s: 0.1 }
    }

    #[test]
    fn whoever_comes_back_misses_nothing() {
        let topic = topic();
        topic.tell_state(State::Running, None);
        let only_bound = Known { bound: Some(4.0), ..Known::default() };
        for known in [only_bound, known(12.0, 5.0), known(11.0, 5.0), known(11.0, 6.0)] {
            topic.tell(known.clone(), topic.with_point(&known));
        }
        topic.tell_state(State::Done, None);
        let names =
            |id| topic.since(id).0.iter().map(|event| (event.id.unwrap(), event.name)).collect::<Vec<_>>();
        assert_eq!(
            names(0),
            [(2, "bound"), (3, "improvement"), (4, "improvement"), (5, "bound"), (6, "state")]
        );
        assert_eq!(names(4), [(5, "bound"), (6, "state")]);
        assert_eq!(names(6), []);
        assert!(!topic.since(6).1, "nothing follows the end");
        let (present, last) = topic.present();
        assert_eq!((present.id, last), (None, 6));
        assert_eq!(present.data["gap"], json!((11.0 - 6.0) / 6.0));
        assert_eq!(topic.since(3).0[0].data["makespan"], 11);
    }

    #[test]
    fn long_histories_are_thinned_but_keep_their_ends() {
        let mut points: Vec<Point> = (1..=2001)
            .map(|id| Point { id, runtime_s: 0.0, value: None, bound: None, status: None })
            .collect();
        thin(&mut points);
        assert_eq!(points.len(), 1501);
        assert_eq!((points[0].id, points[1].id, points.last().unwrap().id), (1, 3, 2001));
    }
}
