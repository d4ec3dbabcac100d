import { paths } from '../../../shared/paths.ts'
import { onboardingFeeCents, setupSprint } from '../../billing/rules.ts'
import { applyLabel } from './site.ts'

const fee = `$${onboardingFeeCents / 100}`

export const sprintRules = [
  { term: 'Length', rule: `${setupSprint.days} days, counted from call 1.` },
  { term: 'Calls', rule: `${setupSprint.calls} calls of ${setupSprint.callMinutes} minutes each. You are on both.` },
  {
    term: 'Homework',
    rule: 'Between the calls you do your part: services and prices, customers, crews, a first route, a first invoice.',
  },
  { term: 'Real data', rule: 'You activate your profile with your real data. No test business.' },
  { term: 'Team', rule: 'By call 2 your team is set up.' },
  { term: 'Admission', rule: `${setupSprint.businessesPerMonth} businesses a month.` },
] as const

/** The terms box: the Setup Sprint's rules and its fee. */
export const SprintTerms = ({ action = true }: { action?: boolean }) => (
  <section className="sunk" id="setup-sprint-terms" aria-labelledby="sprint-terms-title">
    <div className="wrap terms">
      <div className="terms-say">
        <h2 id="sprint-terms-title">The Setup Sprint is free. Here is the catch.</h2>
        <p>
          We put in the calls and the work. You put in yours. If a step is missed, the setup is no longer free, and we
          would rather say so here than in an e-mail later.
        </p>
        {action && (
          <a className="btn primary big" href={paths.application}>
            {applyLabel}
          </a>
        )}
      </div>
      <div className="ticket">
        <h3>Setup Sprint rules</h3>
        <dl>
          {sprintRules.map(({ term, rule }) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{rule}</dd>
            </div>
          ))}
        </dl>
        <p className="ticket-fee">
          <b>{fee}</b>
          <span>
            Missing any step triggers a {fee} onboarding fee. Keep every step and you pay nothing for the setup.
          </span>
        </p>
      </div>
    </div>
  </section>
)
