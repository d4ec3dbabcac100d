import { brand } from '../../../shared/brand.ts'
import { paths } from '../../../shared/paths.ts'
import { setupSprint } from '../../billing/rules.ts'
import { DayBoard } from './DayBoard.tsx'
import { InvoiceFigure, RouteFigure, SeasonFigure } from './Figures.tsx'
import { Picture } from './Picture.tsx'
import { Places } from './Places.tsx'
import { SprintTerms } from './SprintTerms.tsx'
import { applyLabel } from './site.ts'
import { TourLink } from './TourLink.tsx'
import { TrustStats } from './TrustStats.tsx'

const steps = [
  { title: 'Apply', text: `Six questions. We take ${setupSprint.businessesPerMonth} businesses a month.` },
  {
    title: 'Setup Sprint',
    text: `${setupSprint.days} days, two ${setupSprint.callMinutes}-minute calls, your real customers and crews in.`,
  },
  { title: 'Go Live', text: 'Your team on their phones by the second call.' },
] as const

const blurbs = [
  {
    id: 'routing',
    title: 'Route',
    text: 'Every crew’s stops in the order that drives least, with time windows, gates and equipment kept. Move one by hand and the rest of the day adds up again.',
    figure: RouteFigure,
  },
  {
    id: 'scheduling',
    title: 'Schedule',
    text: 'Book the season once: weekly, every other week, or by the month. A rain day moves in one go without losing a lawn, and you see every visit it touches first.',
    figure: SeasonFigure,
  },
  {
    id: 'invoicing',
    title: 'Invoice',
    text: 'A finished visit already knows its price. Bill the week in one go, and let customers pay by card from the link in their mail.',
    figure: InvoiceFigure,
  },
] as const

export const HowItWorks = () => (
  <section className="how" aria-labelledby="how-title">
    <div className="wrap">
      <h2 id="how-title">How It Works</h2>
      <ol>
        {steps.map(({ title, text }, index) => (
          <li key={title}>
            <b>Step {index + 1}</b>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ol>
    </div>
  </section>
)

export const HomePage = () => (
  <>
    <section className="hero">
      <div className="wrap">
        <h1>{brand.headline}</h1>
        <p className="hero-sub">
          One place for the crew's day, the customer's lawn and the money. Built for lawn-care businesses, down to the
          stripe.
        </p>
        <a className="btn primary big" href={paths.application}>
          {applyLabel}
        </a>
        <TourLink />
        <Places />
        <DayBoard />
      </div>
    </section>
    <HowItWorks />
    <section className="wrap follow" aria-labelledby="follow-title">
      <h2 id="follow-title">Follow one lawn through the season</h2>
      <ul>
        {blurbs.map(({ id, title, text, figure: Figure }) => (
          <li key={id}>
            <Figure />
            <h3>{title}</h3>
            <p>{text}</p>
            <a className="more" href={`${paths.features}#${id}`}>
              More on {id}
            </a>
          </li>
        ))}
      </ul>
    </section>
    <section className="wrap seen" aria-labelledby="seen-title">
      <h2 id="seen-title">A Wednesday morning, on both ends</h2>
      <div>
        <Picture
          name="dashboard"
          caption="The office: four crews out, what the day earned so far, and what needs you."
        />
        <Picture name="crew" caption="The crew, at the same minute." />
      </div>
    </section>
    <TrustStats />
    <SprintTerms />
  </>
)
