import { setupSprint } from '../../billing/rules.ts'

/** Claims, worded as the specification words them; they are ours, not measurements of a customer. */
const claims = [
  {
    number: '40%',
    text: 'less drive time',
    more: 'Stops in the order that drives least, instead of the order they were booked.',
  },
  { number: '20+', text: 'hours saved a week', more: 'Planning, texting around and typing invoices, done once.' },
  {
    number: String(setupSprint.days),
    text: 'days',
    more: `From the first call to a crew working from the app, with ${setupSprint.calls} calls of ${setupSprint.callMinutes} minutes.`,
  },
  {
    number: String(setupSprint.businessesPerMonth),
    text: 'businesses a month',
    more: 'As many as we can set up properly. Then the list waits for the next month.',
  },
] as const

export const TrustStats = () => (
  <section className="wrap claims" aria-labelledby="claims-title">
    <h2 id="claims-title">What we claim</h2>
    <ul>
      {claims.map(({ number, text, more }) => (
        <li key={number}>
          <p className="claim">
            <b>{number}</b> <span>{text}</span>
          </p>
          <p>{more}</p>
        </li>
      ))}
    </ul>
    <p className="claims-note">
      Do not take the first one on trust. Every planned day shows its drive before and after, in minutes, miles and
      labor dollars.
    </p>
  </section>
)
