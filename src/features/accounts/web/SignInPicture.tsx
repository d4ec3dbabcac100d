import { brand } from '../../../shared/brand.ts'
import { DayStrip } from '../../../ui/DayStrip.tsx'
import type { StripStop } from '../../../ui/stripLayout.ts'

/** Minutes of work and of the drive before it, as a crew's mornings go. */
const days = [
  {
    name: 'North crew',
    done: 9,
    stops: [
      [26, 0],
      [34, 6],
      [22, 4],
      [40, 9],
      [28, 3],
      [31, 5],
      [24, 7],
      [36, 4],
      [29, 6],
      [33, 8],
      [27, 4],
      [38, 5],
      [22, 9],
    ],
  },
  {
    name: 'Midtown',
    done: 6,
    stops: [
      [38, 0],
      [29, 8],
      [44, 5],
      [26, 4],
      [35, 7],
      [31, 3],
      [42, 9],
      [28, 5],
      [37, 6],
      [30, 4],
      [34, 8],
    ],
  },
  {
    name: 'Islands',
    done: 4,
    stops: [
      [52, 0],
      [41, 12],
      [36, 8],
      [48, 5],
      [39, 14],
      [45, 7],
      [34, 6],
      [50, 9],
    ],
  },
] as const

const stopsOf = ({ name, done, stops }: (typeof days)[number]): StripStop[] =>
  stops.map(([minutes, drive], index) => ({
    id: `${name}-${index}`,
    label: `Stop ${index + 1}`,
    minutes,
    driveMinutesBefore: drive,
    state: index < done ? 'done' : index === done ? 'now' : 'todo',
  }))

/** The pine half of the sign-in: the product's own picture, a morning half mowed. */
export const SignInPicture = () => (
  <aside className="signin__picture" aria-label={brand.name}>
    <span className="signin__logo">
      <svg viewBox="0 0 26 26" width="30" height="30" aria-hidden="true">
        <rect width="26" height="26" rx="7" fill="#e2571e" />
        <path d="M5 20V6h3.4v14zM11.3 20V6h3.4v14zM17.6 20V6H21v14z" fill="#fff" />
      </svg>
      {brand.name}
    </span>
    <div className="signin__words">
      <p className="signin__headline">{brand.headline}</p>
      <div className="signin__strips" aria-hidden="true">
        {days.map((day) => (
          <DayStrip
            key={day.name}
            stops={stopsOf(day)}
            ariaLabel={day.name}
            still
            fitContent
            onPine
            times={false}
            height={44}
          />
        ))}
      </div>
      <p className="signin__legend">
        Each strip is one crew’s day. Dark is mowed, pale is to do, the gaps are driving.
      </p>
    </div>
  </aside>
)
