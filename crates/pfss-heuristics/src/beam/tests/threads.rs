//! Several threads against one.

use super::*;

#[test]
fn any_number_of_threads_finds_the_same() {
    let integers = generate::taillard(80, 5, 7).unwrap();
    // Times of a few values: scores and costs have many ties.
    let few_values = integers.times().iter().map(|&time| time / 40).take(50 * 8).collect();
    let ties = Instance::new("", 8, few_values).unwrap();
    let reals = integers.times().iter().map(|&time| f64::from(time).sqrt()).collect();
    let reals = Instance::new("", 5, reals).unwrap();
    for &guide in HandMade::ALL {
        for width in [1, 7, 150] {
            let pruned = PassSettings { guide, upper: 4700, prune_at: 4700, ..PassSettings::new(width) };
            same_on_threads(&integers, pruned);
            same_on_threads(&ties, PassSettings { guide, upper: 200, ..PassSettings::new(width) });
            same_on_threads(&reals, PassSettings { guide, upper: 500.0, ..PassSettings::new(width) });
        }
    }
    // So wide that threads sort out candidates again and again, and that the history is collected.
    let wide = |width| PassSettings { upper: 4700, prune_at: 4700, ..PassSettings::new(width) };
    same_passes(&integers, &wide(3000), false, 4);
    same_passes(&integers, &PassSettings { memory: 1 << 20, ..wide(3000) }, false, 3);
    same_passes(&ties, &wide(20_000), false, 3);
}

/// Several threads make the same pass as one, and a limit of evaluations cuts it at the same place.
fn same_on_threads<T: Time>(instance: &Instance<T>, settings: PassSettings<T>) {
    for (is_guided, threads) in [(false, 2), (false, 3), (false, 4), (true, 3)] {
        let children = same_passes(instance, &settings, is_guided, threads);
        for share in [0.0, 0.3, 0.999, 1.0] {
            let limits = Limits { evaluations: Some((children as f64 * share) as u64), ..Limits::default() };
            let runs = [1, threads].map(|_| Run::new(Seed::new(1), limits));
            let one = search_on(instance, 1, is_guided).pass(&settings, &runs[0]);
            let more = search_on(instance, threads, is_guided).pass(&settings, &runs[1]);
            assert_eq!((one.best, one.children, one.completed), (more.best, more.children, more.completed));
            assert_eq!(one.exhaustive, more.exhaustive);
            assert_eq!(runs[0].evaluations(), runs[1].evaluations());
        }
    }
}

/// Returns how many children were priced.
fn same_passes<T: Time>(
    instance: &Instance<T>,
    settings: &PassSettings<T>,
    is_guided: bool,
    threads: usize,
) -> u64 {
    let settings = PassSettings { leaves: 50, ..*settings };
    let one = search_on(instance, 1, is_guided).pass(&settings, &free_run());
    let mut search = search_on(instance, threads, is_guided);
    // Twice: memory is kept from pass to pass.
    for _ in 0..2 {
        let run = free_run();
        let more = search.pass(&settings, &run);
        assert_eq!((&more.best, more.children), (&one.best, one.children));
        assert_eq!(more.leaves, one.leaves);
        assert_eq!(run.evaluations(), one.children, "all are counted in the end");
        assert_eq!((more.completed, more.exhaustive), (true, one.exhaustive));
    }
    one.children
}

fn search_on<T: Time>(instance: &Instance<T>, threads: usize, is_guided: bool) -> BeamSearch<'_, T> {
    let odd = (0..threads).filter(|_| is_guided).map(|_| Box::new(Odd) as Box<dyn Guide>).collect();
    BeamSearch::new(instance).with_threads(threads).guided_by_each(odd)
}

#[test]
fn a_panic_on_one_of_the_threads_comes_through() {
    struct Failing(u32);
    impl Guide for Failing {
        fn look(&mut self, _: &OpenNode<'_>, _: &mut Vec<[f32; 2]>) {
            self.0 += 1;
            assert!(self.0 < 3, "no opinion");
        }
    }
    let instance = generate::taillard_benchmark(1).unwrap();
    let guides = (0..3).map(|_| Box::new(Failing(0)) as Box<dyn Guide>).collect();
    let mut search = BeamSearch::new(&instance).guided_by_each(guides);
    let run = free_run();
    run.guard(|| {
        search.pass(&PassSettings::new(100), &run);
    });
    assert!(run.outcome().unwrap_err().to_string().contains("no opinion"));
}
