/** A Golem's mood: pleasure, arousal and dominance, each from −100 to 100, at a time in Unix seconds. */
export type Mood = Pad & { readonly at: number }

/** The three numbers as published on the chain. */
export type Pad = { readonly pleasure: number; readonly arousal: number; readonly dominance: number }

/**
 * An event that changes the mood. `weight`, from 0 to 1, is the size of a win or loss relative to its
 * maximum.
 */
export type Feeling =
  | { readonly type: 'win' | 'loss'; readonly weight: number }
  /** The chain or the runtime refused an action. */
  | { readonly type: 'refusal' }

/** The neutral mood. */
export const calm: Pad = { pleasure: 0, arousal: 0, dominance: 0 }

/**
 * The maximum effect of each feeling. Refusals raise arousal and lower dominance, which together mean panic.
 */
const pushes: Readonly<Record<Feeling['type'], Pad>> = {
  win: { pleasure: 20, arousal: 5, dominance: 15 },
  loss: { pleasure: -25, arousal: 20, dominance: -15 },
  refusal: { pleasure: -5, arousal: 25, dominance: -15 },
}
/** The half-life of a feeling: six hours. */
const halfLifeSeconds = 6 * 3_600
/** The maximum distance to the published mood; each posting costs gas. */
const publishStep = 10
const most = 100
const axes = ['pleasure', 'arousal', 'dominance'] as const

/** The mood at a later time: it decays towards calm. A clock that moved back changes nothing. */
export function calmDown(mood: Mood, now: number): Mood {
  if (!(now > mood.at)) return mood
  const left = 0.5 ** ((now - mood.at) / halfLifeSeconds)
  return { ...mapAxes((axis) => mood[axis] * left), at: now }
}

/** The mood after a feeling. */
export function feel(mood: Mood, feeling: Feeling, now: number): Mood {
  const before = calmDown(mood, now)
  const weight = feeling.type === 'refusal' ? 1 : Math.min(1, Math.max(0, feeling.weight || 0))
  const push = pushes[feeling.type]
  return { ...mapAxes((axis) => clamp(before[axis] + push[axis] * weight)), at: before.at }
}

/** The mood as integers. */
export function shownMood(mood: Pad): Pad {
  // Adding zero makes −0 a plain 0.
  return mapAxes((axis) => clamp(Math.round(mood[axis])) + 0)
}

/**
 * Whether the published mood is too far off. Whatever the chain shows, it can only narrow the signed limits.
 */
export function isMoodDue(shown: Pad, mood: Pad): boolean {
  const current = shownMood(mood)
  return axes.some((axis) => Math.abs(shown[axis] - current[axis]) >= publishStep)
}

function mapAxes(value: (axis: (typeof axes)[number]) => number): Pad {
  return { pleasure: value('pleasure'), arousal: value('arousal'), dominance: value('dominance') }
}

function clamp(value: number): number {
  return Math.min(most, Math.max(-most, value))
}
