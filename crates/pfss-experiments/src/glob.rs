//! Patterns for names: `*` stands for any text, `?` for one character.

/// Whether `name` matches `pattern`, without regard to upper and lower case of ASCII letters.
pub fn matches_pattern(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().map(|c| c.to_ascii_lowercase()).collect();
    let name: Vec<char> = name.chars().map(|c| c.to_ascii_lowercase()).collect();
    let (mut p, mut n) = (0, 0);
    // The last star and the name's place from which it was tried: on a mismatch the star takes one more.
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        if p < pattern.len() && pattern[p] == '*' {
            star = Some((p, n));
            p += 1;
        } else if p < pattern.len() && (pattern[p] == '?' || pattern[p] == name[n]) {
            p += 1;
            n += 1;
        } else if let Some((star_at, tried)) = star {
            star = Some((star_at, tried + 1));
            p = star_at + 1;
            n = tried + 1;
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_and_question_marks() {
        assert!(matches_pattern("*_1", "VFR100_20_1"));
        assert!(!matches_pattern("*_1", "VFR100_20_10"));
        assert!(matches_pattern("ta05?", "ta051"));
        assert!(!matches_pattern("ta05?", "ta05"));
        assert!(matches_pattern("vfr*_20_*", "VFR100_20_3"));
        assert!(matches_pattern("a*b*c", "aXbYbZc"));
        assert!(!matches_pattern("a*b*c", "aXcYb"));
        assert!(matches_pattern("*", ""));
        assert!(!matches_pattern("", "x"));
        assert!(matches_pattern("**", "x"));
    }
}
