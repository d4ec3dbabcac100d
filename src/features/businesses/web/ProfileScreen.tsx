import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Navigate, useLocation, useSearchParams } from 'react-router'
import { dayOf } from '../../../shared/dates.ts'
import { paths } from '../../../shared/paths.ts'
import { Avatar } from '../../../ui/Avatar.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { IconLogout } from '../../../ui/icons.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { CardSkeleton, PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { useSession, useUser } from '../../accounts/web/session.ts'
import { findPlan } from '../../billing/rules.ts'
import type { BusinessSettings } from '../contract.ts'
import { CostsSection, DetailsSection, QuietSection } from './BusinessSections.tsx'
import { businessQuery, smsUsageQuery } from './data.ts'
import { InvoicingSection } from './InvoicingSection.tsx'
import './profile.css'
import { SeasonSection } from './SeasonSection.tsx'
import { MayChange } from './Section.tsx'
import { TaxSection } from './TaxSection.tsx'

const parts = [
  ['you', 'You'],
  ['plan', 'Plan'],
  ['details', 'Business details'],
  ['season', 'Season and work days'],
  ['invoicing', 'Invoices'],
  ['taxes', 'Taxes'],
  ['costs', 'Costs and targets'],
  ['quiet', 'Quiet hours'],
] as const

const You = () => {
  const user = useUser()
  const session = useSession()
  return (
    <Card id="you" flush className="settings-card settings-you">
      <Avatar name={user.name} size={52} />
      <div className="settings-card__words">
        <h2>{user.name}</h2>
        <p className="muted">
          {[user.email, user.role === 'Owner' ? `Owner of ${user.business.name}` : `Admin at ${user.business.name}`]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      <Button icon={<IconLogout />} onClick={() => void session.signOut()}>
        Sign out
      </Button>
    </Card>
  )
}

const states: Record<string, { words: string; tone: 'done' | 'wait' | 'late' }> = {
  active: { words: 'Active', tone: 'done' },
  trialing: { words: 'Trial', tone: 'wait' },
  past_due: { words: 'Payment is due', tone: 'late' },
}

const Plan = ({ settings }: { settings: BusinessSettings }) => {
  const usage = useQuery(smsUsageQuery).data
  const plan = findPlan(settings.planTier)
  const state = states[settings.subscriptionStatus] ?? { words: 'Not active', tone: 'late' as const }
  const used = settings.activeCustomers
  return (
    <Card id="plan" flush className="settings-card">
      <div className="settings-card__words settings-plan">
        <h2>
          {plan ? `${plan.name} plan` : 'No plan'} <Badge tone={state.tone}>{state.words}</Badge>
        </h2>
        <Button href={paths.pricing}>Compare plans</Button>
      </div>
      <div className="settings-meters">
        {settings.customerLimit === null ? (
          <p>
            <b className="num">{used.toLocaleString('en-US')}</b> active customers{' '}
            <span className="muted">without a limit</span>
          </p>
        ) : (
          <Progress
            label="Active customers"
            value={used}
            max={settings.customerLimit}
            detail={`${used} of ${settings.customerLimit}`}
            tone={used >= settings.customerLimit ? 'late' : 'done'}
          />
        )}
        {usage === undefined ? null : usage.segmentLimit === null ? (
          <p>
            <b className="num">{usage.segmentsUsed.toLocaleString('en-US')}</b> SMS segments this month{' '}
            <span className="muted">without a limit</span>
          </p>
        ) : (
          <Progress
            label="SMS segments this month"
            value={usage.segmentsUsed}
            max={usage.segmentLimit}
            detail={`${usage.segmentsUsed} of ${usage.segmentLimit}`}
            tone={usage.segmentsUsed >= usage.segmentLimit * 0.8 ? 'late' : 'done'}
          />
        )}
        <p className="hint">Archived customers do not count. One text of up to 160 plain characters is one segment.</p>
      </div>
    </Card>
  )
}

/** Who you are here, and how the business works: what every plan, price and invoice goes by. */
export const ProfileScreen = () => {
  const user = useUser()
  const [params] = useSearchParams()
  const { hash } = useLocation()
  const found = useQuery(businessQuery)
  const settings = found.data
  const wanted = hash.slice(1) || params.get('section') || ''
  const ready = settings !== undefined
  useEffect(() => {
    if (ready && wanted) document.getElementById(wanted)?.scrollIntoView()
  }, [ready, wanted])
  if (params.get('section') === 'integrations') return <Navigate to="/integrations" replace />
  const mayChange = user.role === 'Owner' || user.permissions.includes('settings')
  const today = dayOf(new Date(), user.business.timeZone)
  return (
    <MayChange value={mayChange}>
      <PageHeader
        title="Profile"
        sub="You, your plan and the settings of the business"
        actions={<Button href="/integrations">Integrations</Button>}
      />
      <div className="settings">
        <nav className="settings__nav" aria-label="Parts of the settings">
          {parts.map(([id, label]) => (
            <a key={id} href={`#${id}`}>
              {label}
            </a>
          ))}
        </nav>
        <div className="settings__parts">
          <You />
          {found.isError && !settings ? (
            <ErrorState
              error={found.error}
              title="We could not load the settings"
              onRetry={() => void found.refetch()}
              retrying={found.isFetching}
            />
          ) : !settings ? (
            <>
              <CardSkeleton />
              <Card>
                <PanelSkeleton />
              </Card>
            </>
          ) : (
            <>
              {mayChange ? null : <Banner>You can look at the settings. The owner can change them, or let you.</Banner>}
              <Plan settings={settings} />
              <DetailsSection settings={settings} />
              <SeasonSection settings={settings} today={today} />
              <InvoicingSection settings={settings} />
              <TaxSection settings={settings} />
              <CostsSection settings={settings} />
              <QuietSection settings={settings} />
            </>
          )}
        </div>
      </div>
    </MayChange>
  )
}
