import { Card } from '../../../ui/Card.tsx'
import { markColor } from '../../../ui/markColor.ts'
import type { SeasonRun } from '../contract.ts'
import { shortDays } from '../rules.ts'
import { count, hours } from './words.ts'

type Result = NonNullable<SeasonRun['result']>

type Load = Result['loads'][number]
/** A day is over its hours where what the screen says of both says so: 8.5 h in 8.5 h is not. */
const overOf = (load: Load, side: 'before' | 'after'): number =>
  hours(load[side].fullestSeconds) === hours(load.roomSeconds)
    ? 0
    : Math.max(0, load[side].fullestSeconds - load.roomSeconds)
const byDay = (a: Load, b: Load): number => ((a.day + 6) % 7) - ((b.day + 6) % 7)

/** Which days are over their crew's hours today, what the plan makes of each, and why where it cannot be helped. */
export const SeasonOver = ({ result, after }: { result: Result; after: string }) => {
  const loads = result.crews.flatMap((crew) =>
    result.loads
      .filter((load) => load.crewId === crew.id && (overOf(load, 'before') > 0 || overOf(load, 'after') > 0))
      .toSorted(byDay)
      .map((load) => ({ load, name: crew.name })),
  )
  if (loads.length === 0) return null
  const still = loads.filter(({ load }) => overOf(load, 'after') > 0).length
  return (
    <Card
      title="Days over their hours"
      hint={`${count(loads.filter(({ load }) => overOf(load, 'before') > 0).length, 'day')} today, ${still} ${after}`}
    >
      <ul className="season-over">
        {loads.map(({ load, name }) => {
          const over = overOf(load, 'after') > 0
          return (
            <li key={`${load.crewId} ${load.day}`}>
              <b>
                {name}, {shortDays[load.day]}
              </b>{' '}
              {hours(load.before.fullestSeconds)} today,{' '}
              <span className={over ? 'is-over' : undefined}>
                {hours(load.after.fullestSeconds)} {after}
              </span>
              , {load.roomSeconds === 0 ? 'a day off' : `in ${hours(load.roomSeconds)}`}
              {load.overWhy && load.roomSeconds > 0 ? <span className="hint"> {load.overWhy}</span> : null}
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

/** Each crew's weekdays: the fullest week against its hours, and the driving of an average one, before and after. */
export const SeasonLoads = ({ result }: { result: Result }) => (
  <Card title="Days of the crews" hint="The fullest week of each against its hours" flush>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: on a phone it scrolls sideways, by the keyboard too */}
    <section className="season-scroll" aria-label="Days of the crews, a table" tabIndex={0}>
      <table className="season-table">
        <thead>
          <tr>
            <th scope="col">Crew</th>
            <th scope="col">Day</th>
            <th scope="col">Hours</th>
            <th scope="col">Stops</th>
            <th scope="col">Work and driving</th>
            <th scope="col">Driving a week</th>
          </tr>
        </thead>
        <tbody>
          {result.crews.flatMap((crew) =>
            result.loads
              .filter((load) => load.crewId === crew.id)
              .toSorted(byDay)
              .map((load) => {
                const over = overOf(load, 'after') > 0
                return (
                  <tr key={`${crew.id} ${load.day}`}>
                    <th scope="row">
                      <i style={{ background: markColor(crew.color) }} aria-hidden="true" />
                      {crew.name}
                    </th>
                    <td>{shortDays[load.day]}</td>
                    <td>{hours(load.roomSeconds)}</td>
                    <td>
                      <b>{load.after.stops}</b> <span className="hint">was {load.before.stops}</span>
                    </td>
                    <td className={over ? 'is-over' : undefined}>
                      <b>{hours(load.after.fullestSeconds)}</b>{' '}
                      <span className="hint">was {hours(load.before.fullestSeconds)}</span>
                      {over ? ' over its hours' : ''}
                    </td>
                    <td>
                      <b>{hours(load.after.driveSeconds)}</b>{' '}
                      <span className="hint">was {hours(load.before.driveSeconds)}</span>
                    </td>
                  </tr>
                )
              }),
          )}
        </tbody>
      </table>
    </section>
  </Card>
)
