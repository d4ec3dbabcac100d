import { paths } from '../../../shared/paths.ts'
import { setupSprint } from '../../billing/rules.ts'
import { HowItWorks } from './HomePage.tsx'
import { PageHead } from './PageHead.tsx'
import { ReachUs } from './ReachUs.tsx'
import { SprintTerms } from './SprintTerms.tsx'
import { TrustStats } from './TrustStats.tsx'

export const LandingPage = () => (
  <>
    <PageHead
      seed={211}
      share={0.45}
      title={`Your crews on Swath in ${setupSprint.days} days.`}
      lead={
        <>
          You will be able to leave your name, e-mail and phone on this page. Until then a mail or a call does the same,
          or go straight to the <a href={paths.application}>six questions</a>.
        </>
      }
    >
      <ReachUs
        subject="Setup Sprint"
        body={'My name:\n\nMy phone:\n\nMy business:\n'}
        mailLabel="Send us your details"
      />
    </PageHead>
    <TrustStats />
    <HowItWorks />
    <div className="sunk">
      <div className="wrap">
        <SprintTerms />
      </div>
    </div>
  </>
)
