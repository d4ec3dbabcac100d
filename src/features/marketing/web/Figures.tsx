/** Small drawings of the product for the public pages. All values are one made-up lawn's. */

const lawn = { street: '132 Laurel Green Ct', price: '$52.00' }

type Leg = { id: string; minutes: number; kind: 'drive' | 'lawn' | 'lawn mark' }

/** Drive and work minutes in turn; `mark` is the lawn that is followed. */
const legs = (minutes: readonly number[], mark: number): Leg[] =>
  minutes.map((each, index) => ({
    id: `leg ${index}`,
    minutes: each,
    kind: index % 2 === 0 ? 'drive' : index === mark ? 'lawn mark' : 'lawn',
  }))

const booked = legs([6, 10, 22, 9, 24, 8, 19, 12, 21, 9, 25, 7, 20, 11, 18, 10], 9)
const ordered = legs([5, 10, 4, 12, 6, 8, 3, 9, 5, 9, 4, 7, 6, 10, 4, 11], 7)
const scale = booked.reduce((sum, leg) => sum + leg.minutes, 0)

const Legs = ({ of }: { of: readonly Leg[] }) => (
  <div className="fig-strip">
    {of.map(({ id, minutes, kind }) => (
      <i key={id} className={kind} style={{ width: `${((minutes / scale) * 100).toFixed(2)}%` }} />
    ))}
  </div>
)

export const RouteFigure = () => (
  <div
    className="fig"
    role="img"
    aria-label="The same eight lawns twice: in booked order the gaps for driving are wide, in planned order they are narrow and the day ends sooner."
  >
    <p className="fig-label">Booked order</p>
    <Legs of={booked} />
    <p className="fig-label">Planned order</p>
    <Legs of={ordered} />
    <p className="fig-note">
      <span className="dot" /> {lawn.street}, fourth stop
    </p>
  </div>
)

const weeks = ['Mar', 'Apr', 'May', 'Jun'] as const

export const SeasonFigure = () => (
  <div
    className="fig"
    role="img"
    aria-label={`${lawn.street} booked every Tuesday from March to June; one rain day moved to Wednesday.`}
  >
    <p className="fig-label">{lawn.street}, every Tuesday</p>
    <div className="season">
      {weeks.map((month, row) => (
        <div key={month}>
          <span>{month}</span>
          {[0, 1, 2, 3].map((week) => (
            <i
              key={week}
              className={row === 1 && week === 2 ? 'moved' : row < 1 || (row === 1 && week < 2) ? 'done' : undefined}
            />
          ))}
        </div>
      ))}
    </div>
    <p className="fig-note">
      <span className="dot" /> Rain on a Tuesday in April: moved to Wednesday
    </p>
  </div>
)

export const InvoiceFigure = () => (
  <div
    className="fig"
    role="img"
    aria-label={`An invoice for one mowing visit at ${lawn.street}: ${lawn.price}, paid by card.`}
  >
    <div className="slip">
      <p>
        <span>Mow, edge, trim, blow</span>
        <b>{lawn.price}</b>
      </p>
      <p>
        <span>{lawn.street}, Tuesday</span>
        <span>28 min</span>
      </p>
      <p className="slip-total">
        <b>Total</b>
        <b>{lawn.price}</b>
      </p>
      <p className="slip-paid">Paid by card</p>
    </div>
  </div>
)
