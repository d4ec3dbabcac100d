import { paths } from '../../../shared/paths.ts'
import { annualLabel } from '../../billing/rules.ts'
import { ListArt } from './HeroArt.tsx'
import { PageHead } from './PageHead.tsx'
import { PlanCards } from './PlanCards.tsx'
import { PlanTable } from './PlanTable.tsx'
import pricing from './public-pricing.css?inline'

const notes = [
  {
    id: 'segments',
    title: 'What an SMS segment is',
    text: [
      'Phone companies count texts in segments. A plain text of up to 160 characters is one segment. A longer one is split into pieces of 153.',
      'One emoji or one letter outside the plain set changes the count for the whole text: then a segment holds 70 characters, or 67 when there are several. While you type, Swath counts for you and says when a single character makes a text cost more.',
      'A text with up to three photos counts as three segments, whatever it says.',
      'Only texts that you send count. E-mail, app notifications, crew chat and the replies to STOP and HELP do not.',
    ],
  },
  {
    id: 'limits',
    title: 'When you reach a limit',
    text: [
      'Customers: one more is refused, and the message names the plan that allows it. Archived customers do not count. Nothing you already have is blocked.',
      'Messages: you are warned at 80%. At 100%, automatic messages go out by e-mail instead and a text sent by hand is refused with the reason. The count starts again with the month.',
    ],
  },
  {
    id: 'trial',
    title: 'The 14-day trial',
    text: [
      'Basic starts with 14 days free. The trial begins at checkout, needs a card, and is there once per business. Pro and Enterprise are billed from the first day.',
    ],
  },
  {
    id: 'lapse',
    title: 'If you stop paying',
    text: [
      'Your crews finish their work, you can read and export everything, and your customers can still pay you. Changes in the office wait until the subscription is active again.',
    ],
  },
] as const

export const PricingPage = () => (
  <>
    {/* Only this page has them, so only this page carries them. */}
    <style>{pricing}</style>
    <PageHead
      seed={47}
      art={<ListArt />}
      share={0.4}
      title="Priced by your list, not by your crew."
      lead="Every plan has routing, scheduling, invoicing and the crew app, for as many people as you put on the truck."
    >
      <p className="notice" data-notice="" role="status" hidden />
    </PageHead>
    <section className="wrap prices" aria-label="Plans">
      <input type="radio" name="period" id="period-month" value="month" defaultChecked />
      <input type="radio" name="period" id="period-year" value="year" />
      <div className="period" role="presentation">
        <label htmlFor="period-month">Monthly</label>
        <label htmlFor="period-year">{annualLabel}</label>
      </div>
      <p className="plan-code" data-code="" hidden>
        <label htmlFor="plan-code">Have a code?</label>
        <input id="plan-code" name="coupon" maxLength={40} autoComplete="off" spellCheck={false} />
      </p>
      <PlanCards />
    </section>
    <section className="wrap" aria-labelledby="compare-title">
      <h2 id="compare-title" className="h-big">
        What is in each plan
      </h2>
      <PlanTable />
    </section>
    <section className="wrap notes" aria-labelledby="small-title">
      <h2 id="small-title" className="h-big">
        The small print, in normal size
      </h2>
      <div>
        {notes.map(({ id, title, text }) => (
          <article key={id} id={id}>
            <h3>{title}</h3>
            {text.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </article>
        ))}
      </div>
      <p className="notes-end">
        Moving a whole business over? Read the rules of the free{' '}
        <a href={`${paths.terms}#setup-sprint`}>Setup Sprint</a>.
      </p>
    </section>
  </>
)
