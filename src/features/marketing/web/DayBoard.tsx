import { formatMinute } from '../../../shared/dates.ts'
import { DayAxis } from '../../../ui/DayAxis.tsx'
import { DayStrip } from '../../../ui/DayStrip.tsx'
import { exampleCrews, exampleNow, exampleSpan } from './exampleDay.ts'

const stops = exampleCrews.reduce((sum, crew) => sum + crew.stops.length, 0)
const nowPercent = ((exampleNow - exampleSpan.startMinute) / (exampleSpan.endMinute - exampleSpan.startMinute)) * 100

/** The hero: three crews' day, every stripe as wide as its minutes. */
export const DayBoard = () => (
  <figure className="board">
    <figcaption>
      <b>Tuesday, three crews, {stops} lawns</b>
      <span>An example day. One stripe a lawn, as wide as its minutes; the gaps are the drive.</span>
    </figcaption>
    <div className="board-plot">
      <div className="board-hours">
        <DayAxis span={exampleSpan} most={6} />
      </div>
      <div className="board-now" aria-hidden="true">
        <span className="board-line" style={{ left: `${nowPercent.toFixed(2)}%` }}>
          <em>{formatMinute(exampleNow)}</em>
        </span>
      </div>
      <ul>
        {exampleCrews.map(({ name, doneStops, stops: each, endText }) => (
          <li key={name} className="board-crew">
            <p className="board-name">
              <b>{name}</b>
              <span>
                {doneStops} of {each.length} stops, done by {endText}
              </span>
            </p>
            <DayStrip still stops={each} span={exampleSpan} height={48} ariaLabel={name} />
          </li>
        ))}
      </ul>
    </div>
    <ul className="board-key">
      <li className="done">Mowed</li>
      <li className="now">Being mowed</li>
      <li className="todo">To do</li>
      <li className="skipped">Skipped, to rebook</li>
    </ul>
  </figure>
)
