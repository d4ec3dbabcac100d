import { paths } from '../../../shared/paths.ts'
import { setupSprint } from '../../billing/rules.ts'
import { ContactFields, FormSay } from './ContactFields.tsx'
import { HowItWorks } from './HomePage.tsx'
import { PageHead } from './PageHead.tsx'
import { Picture } from './Picture.tsx'
import { Places } from './Places.tsx'
import { PlainProblems } from './PlainProblems.tsx'
import { Savings } from './Savings.tsx'
import { SprintTerms } from './SprintTerms.tsx'
import { TourLink } from './TourLink.tsx'
import { TrustStats } from './TrustStats.tsx'

const Form = () => (
  <form className="fx" method="post" action="/api/leads" data-landing="" data-landing-form="">
    <h2>Start with three lines</h2>
    <FormSay />
    <PlainProblems />
    <input type="hidden" name="source" value="landing_page" />
    <ContactFields prefix="landing" />
    <button type="submit" className="btn primary big">
      Get my free Setup Sprint
    </button>
  </form>
)

const Thanks = () => (
  <section className="fx only-target" id="thanks" aria-labelledby="thanks-title">
    <h2 id="thanks-title" tabIndex={-1}>
      Thank you. We have your details.
    </h2>
    <p>The six questions of the application take about three minutes. Places are given by application.</p>
    <p className="next">
      <a className="btn primary big" href={paths.application}>
        Continue to Full Application
      </a>
      <a className="btn big" href={paths.pricing}>
        See Our Limited Time Pricing
      </a>
    </p>
  </section>
)

export const LandingPage = () => (
  <>
    <PageHead
      seed={211}
      share={0.45}
      title={`Your crews on Swath in ${setupSprint.days} days.`}
      art={
        <div className="stage">
          <Picture name="dashboard" caption="Day 14 in the office: every crew’s day, what it earned, what is owed." />
          <Picture name="crew" caption="The same morning on a crew’s phone." />
        </div>
      }
      lead={`Two ${setupSprint.callMinutes}-minute calls, your real customers and crews in, and nothing to pay for the setup when you keep every step.`}
    >
      <Places />
      <TourLink />
      <div className="landing-form">
        <Form />
        <Thanks />
      </div>
    </PageHead>
    <TrustStats />
    <div className="wrap">
      <Savings />
    </div>
    <HowItWorks />
    <SprintTerms />
  </>
)
