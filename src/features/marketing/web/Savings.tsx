import { type Day, dayLimits, dollars, hours, seasonSavings, seasonWeeks } from './savings.ts'

const fields: readonly (readonly [key: keyof Day, label: string])[] = [
  ['stops', 'Stops a day, all crews'],
  ['crews', 'Crews'],
  ['dollarsAnHour', 'What an hour of a crew costs you, $'],
  ['daysAWeek', 'Days a week'],
]

const examples: readonly Day[] = [
  { stops: 15, crews: 1, dollarsAnHour: 50, daysAWeek: 5 },
  { stops: 30, crews: 2, dollarsAnHour: 50, daysAWeek: 5 },
  { stops: 60, crews: 3, dollarsAnHour: 50, daysAWeek: 5 },
  { stops: 100, crews: 5, dollarsAnHour: 50, daysAWeek: 5 },
]
const first = Object.fromEntries(fields.map(([key]) => [key, dayLimits[key].first])) as Day
const { least, most } = seasonSavings(first)

/** What a season of planned days saves, from what was measured: a table for everybody, and with a script for the numbers of whoever reads it. */
export const Savings = () => (
  <section className="savings" id="savings" aria-labelledby="savings-title">
    <h2 id="savings-title">What your season would save</h2>
    <form data-savings="" hidden>
      {fields.map(([key, label]) => (
        <label key={key}>
          <span>{label}</span>
          <input
            name={key}
            inputMode="decimal"
            autoComplete="off"
            maxLength={12}
            aria-describedby={`savings-wrong-${key}`}
            defaultValue={String(dayLimits[key].first)}
          />
          <small className="savings-wrong" id={`savings-wrong-${key}`} data-wrong={key} role="status" />
        </label>
      ))}
      <output>
        <b data-least="">{hours(least.hours)}</b> and <b data-cost="">{dollars(least.dollars)}</b> of driving at least,
        if your crews already drive to the nearest lawn next. Up to <span data-most="">{hours(most.hours)}</span> and{' '}
        <span data-most-cost="">{dollars(most.dollars)}</span>, if they drive in the order of your list.
      </output>
    </form>
    <div className="savings-scroll">
      <table>
        <caption>Driving saved in a season of {seasonWeeks} weeks, 5 days a week, a crew at $50 an hour</caption>
        <thead>
          <tr>
            <th scope="col">Stops a day</th>
            <th scope="col">Crews</th>
            <th scope="col">You drive to the nearest lawn next</th>
            <th scope="col">You drive in the order of the list</th>
          </tr>
        </thead>
        <tbody>
          {examples.map((day) => {
            const saved = seasonSavings(day)
            return (
              <tr key={day.stops}>
                <th scope="row">{day.stops}</th>
                <td>{day.crews}</td>
                {[saved.least, saved.most].map((one) => (
                  <td key={one.hours}>
                    {hours(one.hours)}, {dollars(one.dollars)}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
    <details>
      <summary>How this was measured</summary>
      <p>
        On 192 days drawn by chance from 574 real addresses in Louisville, Nashville and Savannah, 10 to 25 stops a
        crew, one to five crews, back at the shop in the evening. Each day was driven three ways: in the order of the
        list, to the nearest lawn left each time, and as Swath plans it in half a second. Driving times come from
        distances, without traffic; your town will differ, and every day planned in Swath shows its own minutes before
        and after.
      </p>
    </details>
  </section>
)
