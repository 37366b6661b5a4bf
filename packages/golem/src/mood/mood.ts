/** A Golem's temper: pleasure, arousal and dominance, each from −100 to 100, at a moment in Unix seconds. */
export type Mood = Pad & { readonly at: number }

/** The three numbers as the chain has them. */
export type Pad = { readonly pleasure: number; readonly arousal: number; readonly dominance: number }

/** What moves it. `weight`, from 0 to 1, is how much a win or a loss was of what it could have been. */
export type Feeling =
  | { readonly is: 'win' | 'loss'; readonly weight: number }
  /** The chain or the runtime kept it from something. */
  | { readonly is: 'refusal' }

/** Calm. */
export const calm: Pad = { pleasure: 0, arousal: 0, dominance: 0 }

/** How far each feeling goes at most. Origin: ours; spec 002 §9 has refusals raise arousal, spec 001 5.6 calls high arousal with low dominance panic. */
const pushes: Readonly<Record<Feeling['is'], Pad>> = {
  win: { pleasure: 20, arousal: 5, dominance: 15 },
  loss: { pleasure: -25, arousal: 20, dominance: -15 },
  refusal: { pleasure: -5, arousal: 25, dominance: -15 },
}
/** A feeling is half gone after six hours. Origin: ours. */
const halfLifeSeconds = 6 * 3_600
/** So far it may be from what the chain shows. Origin: ours; each posting costs gas. */
const publishStep = 10
const most = 100
const axes = ['pleasure', 'arousal', 'dominance'] as const

/** The mood at a later moment: it goes back to calm. A clock that went back changes nothing. */
export function calmDown(mood: Mood, now: number): Mood {
  if (!(now > mood.at)) return mood
  const left = 0.5 ** ((now - mood.at) / halfLifeSeconds)
  return { ...mapAxes((axis) => mood[axis] * left), at: now }
}

/** The mood after something happened. */
export function feel(mood: Mood, feeling: Feeling, now: number): Mood {
  const before = calmDown(mood, now)
  const weight = feeling.is === 'refusal' ? 1 : Math.min(1, Math.max(0, feeling.weight || 0))
  const push = pushes[feeling.is]
  return { ...mapAxes((axis) => clamp(before[axis] + push[axis] * weight)), at: before.at }
}

/** The mood as whole numbers. */
export function shownMood(mood: Pad): Pad {
  // Adding zero makes −0 a plain 0.
  return mapAxes((axis) => clamp(Math.round(mood[axis])) + 0)
}

/** Whether the chain's numbers are too far from the truth. Whatever it shows, it only narrows what was signed. */
export function isMoodDue(shown: Pad, mood: Pad): boolean {
  const wanted = shownMood(mood)
  return axes.some((axis) => Math.abs(shown[axis] - wanted[axis]) >= publishStep)
}

function mapAxes(value: (axis: (typeof axes)[number]) => number): Pad {
  return { pleasure: value('pleasure'), arousal: value('arousal'), dominance: value('dominance') }
}

function clamp(value: number): number {
  return Math.min(most, Math.max(-most, value))
}
