import { plans } from '../../billing/rules.ts'

/** What stands beside the title of each page: drawn once, said in words for those who do not see it. */

const loops = [
  { crew: 1, path: 'M250 190 L190 120 L120 96 L78 150 L108 214 L176 232 Z' },
  { crew: 2, path: 'M250 190 L286 104 L356 62 L432 98 L408 160 L330 176 Z' },
  { crew: 3, path: 'M250 190 L316 232 L402 222 L446 272 L372 320 L276 292 Z' },
] as const

/** Three crews' rounds from one shop: no road is driven twice. */
export const RouteArt = () => (
  <svg
    className="art"
    viewBox="40 30 440 320"
    role="img"
    aria-label="Three crews’ rounds from one shop, none crossing another."
  >
    {loops.map(({ crew, path }) => (
      <g key={crew} style={{ color: `var(--crew-${crew})` }}>
        <path d={path} fill="none" stroke="currentColor" strokeWidth="4" strokeDasharray="2 9" strokeLinecap="round" />
        <path
          d={path.replaceAll(/[ML](\d+ \d+)/g, 'M$1h0').replace(/^M250 190h0 | Z/g, '')}
          stroke="currentColor"
          strokeWidth="26"
          strokeLinecap="round"
        />
      </g>
    ))}
    <path className="art-shop" d="M228 206v-28l22-16 22 16v28z" />
  </svg>
)

/** A lawn half mowed, the mower at the edge of what is left. */
export const LawnArt = () => (
  <div className="art-lawn" role="img" aria-label="A lawn seen from above, mowed up to the seventh strip.">
    {Array.from({ length: 11 }, (_, strip) => strip).map((strip) => (
      <i key={strip} className={strip < 6 ? 'done' : strip === 6 ? 'now' : undefined} />
    ))}
  </div>
)

const widest = 160

/** How long a list each plan holds, as strips. */
export const ListArt = () => (
  <ul className="art-lists art-plans" aria-label="Customers by plan">
    {plans.map(({ id, name, customerLimit: most }) => {
      return (
        <li key={id}>
          <b>{name}</b>{' '}
          <span>{most === null ? 'any number of customers' : `up to ${most.toLocaleString('en-US')} customers`}</span>
          <i style={{ width: `${Math.min(100, ((most ?? widest) / widest) * 100)}%` }} />
        </li>
      )
    })}
  </ul>
)

/** Sittings as the day strip draws lawns: as wide as their minutes. */
export const LessonArt = ({ tracks }: { tracks: readonly { title: string; minutes: readonly number[] }[] }) => {
  const most = Math.max(...tracks.map(({ minutes }) => minutes.reduce((sum, one) => sum + one, 0)))
  return (
    <ul className="art-lists" aria-label="How long it takes">
      {tracks.map(({ title, minutes }) => (
        <li key={title}>
          <b>{title}</b> <span>{minutes.reduce((sum, one) => sum + one, 0)} minutes in all</span>
          <div>
            {minutes.map((one, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a sitting has nothing but its place
              <i key={index} style={{ width: `${(one / most) * 100}%` }} />
            ))}
          </div>
        </li>
      ))}
    </ul>
  )
}

const taken = [1, 4, 6, 7, 10, 13, 15, 18]

/** A week of times with one chosen. */
export const WeekArt = () => (
  <div className="art-week" role="img" aria-label="A week of free times, one of them chosen.">
    {Array.from({ length: 20 }, (_, slot) => slot).map((slot) => (
      <i key={slot} className={slot === 12 ? 'mine' : taken.includes(slot) ? undefined : 'free'} />
    ))}
  </div>
)
