import { clockText, type ExampleCrew, exampleCrews, exampleNow, exampleWindow } from './exampleDay.ts'

const span = exampleWindow.to - exampleWindow.from
const at = (minute: number): string => `${(((minute - exampleWindow.from) / span) * 100).toFixed(2)}%`
const share = (minutes: number): string => `${((minutes / span) * 100).toFixed(2)}%`
const startOf = ({ stops: [first] }: ExampleCrew): number => (first ? first.startMinute - first.driveMinutes : 0)
const words = { done: 'mown', now: 'being mown', todo: 'to do', skipped: 'skipped' } as const
const hours = [7, 9, 11, 13, 15, 17]

const CrewRow = ({ crew }: { crew: ExampleCrew }) => (
  <li className="board-crew">
    <p className="board-name">
      <b>{crew.name}</b>
      <span>
        {crew.doneStops} of {crew.stops.length} stops, done by {crew.endText}
      </span>
    </p>
    <div
      className="board-strip"
      role="img"
      aria-label={`${crew.name}: ${crew.doneStops} of ${crew.stops.length} stops mown, done by ${crew.endText} at this pace.`}
    >
      <span style={{ left: at(startOf(crew)), width: share(crew.endMinute - startOf(crew)) }} />
      {crew.stops.map((stop) => (
        <i
          key={stop.startMinute}
          className={stop.state}
          title={`${clockText(stop.startMinute)}, ${stop.minutes} min, ${words[stop.state]}`}
          style={{ left: at(stop.startMinute), width: share(stop.minutes) }}
        />
      ))}
    </div>
  </li>
)

/** The hero: three crews' day, every stripe as wide as its minutes. */
export const DayBoard = () => {
  const stops = exampleCrews.reduce((sum, crew) => sum + crew.stops.length, 0)
  return (
    <figure className="board">
      <figcaption>
        <b>Tuesday, three crews, {stops} lawns</b>
        <span>An example day. One stripe a lawn, as wide as its minutes; the gaps are the drive.</span>
      </figcaption>
      <div className="board-plot">
        <div className="board-hours" aria-hidden="true">
          {hours.map((hour) => (
            <span key={hour} style={{ left: at(hour * 60) }}>
              {((hour + 11) % 12) + 1}
              {hour === 7 ? ' AM' : hour === 13 ? ' PM' : ''}
            </span>
          ))}
        </div>
        <div className="board-now" aria-hidden="true">
          <span className="board-line" style={{ left: at(exampleNow) }}>
            <em>{clockText(exampleNow)}</em>
          </span>
        </div>
        <ul>
          {exampleCrews.map((crew) => (
            <CrewRow key={crew.name} crew={crew} />
          ))}
        </ul>
      </div>
      <ul className="board-key">
        <li className="done">Mown</li>
        <li className="now">Being mown</li>
        <li className="todo">To do</li>
        <li className="skipped">Skipped, to rebook</li>
      </ul>
    </figure>
  )
}
