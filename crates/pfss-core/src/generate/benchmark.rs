//! Taillard's 120 benchmark instances, made from their published seeds.

use super::lehmer::taillard;
use crate::Instance;

/// How many instances Taillard's benchmark has.
pub const NUM_TAILLARD_INSTANCES: usize = 120;

const GROUP_SIZE: usize = 10;

/// Ten instances of one size.
struct Group {
    num_jobs: usize,
    num_machines: usize,
    seeds: [u32; GROUP_SIZE],
}

/// Seeds of Taillard 1993, "Benchmarks for basic scheduling problems", in the order of the numbers.
#[rustfmt::skip]
const GROUPS: [Group; NUM_TAILLARD_INSTANCES / GROUP_SIZE] = [
    Group { num_jobs: 20, num_machines: 5, seeds: [873_654_221, 379_008_056, 1_866_992_158, 216_771_124, 495_070_989, 402_959_317, 1_369_363_414, 2_021_925_980, 573_109_518, 88_325_120] },
    Group { num_jobs: 20, num_machines: 10, seeds: [587_595_453, 1_401_007_982, 873_136_276, 268_827_376, 1_634_173_168, 691_823_909, 73_807_235, 1_273_398_721, 2_065_119_309, 1_672_900_551] },
    Group { num_jobs: 20, num_machines: 20, seeds: [479_340_445, 268_827_376, 1_958_948_863, 918_272_953, 555_010_963, 2_010_851_491, 1_519_833_303, 1_748_670_931, 1_923_497_586, 1_829_909_967] },
    Group { num_jobs: 50, num_machines: 5, seeds: [1_328_042_058, 200_382_020, 496_319_842, 1_203_030_903, 1_730_708_564, 450_926_852, 1_303_135_678, 1_273_398_721, 587_288_402, 248_421_594] },
    Group { num_jobs: 50, num_machines: 10, seeds: [1_958_948_863, 575_633_267, 655_816_003, 1_977_864_101, 93_805_469, 1_803_345_551, 49_612_559, 1_899_802_599, 2_013_025_619, 578_962_478] },
    Group { num_jobs: 50, num_machines: 20, seeds: [1_539_989_115, 691_823_909, 655_816_003, 1_315_102_446, 1_949_668_355, 1_923_497_586, 1_805_594_913, 1_861_070_898, 715_643_788, 464_843_328] },
    Group { num_jobs: 100, num_machines: 5, seeds: [896_678_084, 1_179_439_976, 1_122_278_347, 416_756_875, 267_829_958, 1_835_213_917, 1_328_833_962, 1_418_570_761, 161_033_112, 304_212_574] },
    Group { num_jobs: 100, num_machines: 10, seeds: [1_539_989_115, 655_816_003, 960_914_243, 1_915_696_806, 2_013_025_619, 1_168_140_026, 1_923_497_586, 167_698_528, 1_528_387_973, 993_794_175] },
    Group { num_jobs: 100, num_machines: 20, seeds: [450_926_852, 1_462_772_409, 1_021_685_265, 83_696_007, 508_154_254, 1_861_070_898, 26_482_542, 444_956_424, 2_115_448_041, 118_254_244] },
    Group { num_jobs: 200, num_machines: 10, seeds: [471_503_978, 1_215_892_992, 135_346_136, 1_602_504_050, 160_037_322, 551_454_346, 519_485_142, 383_947_510, 1_968_171_878, 540_872_513] },
    Group { num_jobs: 200, num_machines: 20, seeds: [2_013_025_619, 475_051_709, 914_834_335, 810_642_687, 1_019_331_795, 2_056_065_863, 1_342_855_162, 1_325_809_384, 1_988_803_007, 765_656_702] },
    Group { num_jobs: 500, num_machines: 20, seeds: [1_368_624_604, 450_181_436, 1_927_888_393, 1_759_567_256, 606_425_239, 19_268_348, 1_298_201_670, 2_041_736_264, 379_756_761, 28_837_162] },
];

/// Benchmark instance `number`, from 1 (`ta001`) to 120 (`ta120`), or `None` for other numbers.
pub fn taillard_benchmark(number: usize) -> Option<Instance<u32>> {
    let index = number.checked_sub(1)?;
    let group = GROUPS.get(index / GROUP_SIZE)?;
    let seed = group.seeds[index % GROUP_SIZE];
    let instance = taillard(group.num_jobs, group.num_machines, seed).ok()?;
    Some(instance.with_name(format!("ta{number:03}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_cover_the_benchmark() {
        assert!(taillard_benchmark(0).is_none());
        assert!(taillard_benchmark(NUM_TAILLARD_INSTANCES + 1).is_none());
        let sizes = [(1, 20, 5), (11, 20, 10), (30, 20, 20), (60, 50, 20), (90, 100, 20), (120, 500, 20)];
        for (number, jobs, machines) in sizes {
            let instance = taillard_benchmark(number).unwrap();
            assert_eq!((instance.num_jobs(), instance.num_machines()), (jobs, machines));
            assert_eq!(instance.name(), format!("ta{number:03}"));
        }
    }

    #[test]
    fn the_load_of_every_instance_is_pinned() {
        // The sum of all times over all instances, and of two single instances.
        let sum =
            |number| taillard_benchmark(number).unwrap().times().iter().map(|&t| u64::from(t)).sum::<u64>();
        assert_eq!(sum(1), SUM_TA001);
        assert_eq!(sum(120), SUM_TA120);
        assert_eq!((1..=NUM_TAILLARD_INSTANCES).map(sum).sum::<u64>(), SUM_ALL);
    }

    const SUM_TA001: u64 = 5_153;
    const SUM_TA120: u64 = 499_516;
    const SUM_ALL: u64 = 10_961_254;
}
