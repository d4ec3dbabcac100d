import { Card } from '../../../ui/Card.tsx'
import { markColor } from '../../../ui/markColor.ts'
import type { SeasonRun } from '../contract.ts'
import { shortDays } from '../rules.ts'
import { hours } from './words.ts'

type Result = NonNullable<SeasonRun['result']>

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
              .toSorted((a, b) => ((a.day + 6) % 7) - ((b.day + 6) % 7))
              .map((load, at) => {
                const over = load.after.fullestSeconds > load.roomSeconds
                return (
                  <tr key={`${crew.id} ${load.day}`}>
                    <th scope="row">
                      <i style={{ background: markColor(crew.color) }} aria-hidden="true" />
                      <span className={at > 0 ? 'ui-hidden' : undefined}>{crew.name}</span>
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
