import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Navigate, useLocation, useSearchParams } from 'react-router'
import { dayOf } from '../../../shared/dates.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { CardSkeleton, PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { AccountSection } from '../../accounts/closing/web/AccountSection.tsx'
import { SecuritySection } from '../../accounts/me/web/SecuritySection.tsx'
import { YourDetails } from '../../accounts/me/web/YourDetails.tsx'
import { useMay, useSupport, useUser } from '../../accounts/web/session.ts'
import { PlanSection } from '../../subscriptions/web/PlanSection.tsx'
import { SupportSection } from '../../support/web/SupportSection.tsx'
import { type BusinessSettings, businessesApi } from '../contract.ts'
import { LogoSection, PublicPageSection } from './BrandSection.tsx'
import { CostsSection, DetailsSection, QuietSection } from './BusinessSections.tsx'
import { businessQuery, smsUsageQuery } from './data.ts'
import { InvoicingSection } from './InvoicingSection.tsx'
import { NumbersSection } from './NumbersSection.tsx'
import './profile.css'
import { SeasonSection } from './SeasonSection.tsx'
import { MayChange } from './Section.tsx'
import { TaxSection } from './TaxSection.tsx'

const parts = [
  ['you', 'Your details'],
  ['security', 'Sign-in & security'],
  ['plan', 'Plan'],
  ['details', 'Business details'],
  ['season', 'Season and work days'],
  ['logo', 'Logo'],
  ['invoicing', 'Invoices'],
  ['page', 'Public page'],
  ['numbers', 'Numbers'],
  ['taxes', 'Taxes'],
  ['costs', 'Costs and targets'],
  ['quiet', 'Quiet hours'],
  ['support', 'Support access'],
  ['account', 'Account'],
] as const

/** Parts that only the owner has, and parts that are a person's own: support, who is nobody of the business, has neither. */
const ownersParts = new Set<string>(['support', 'account'])
const ownParts = new Set<string>(['you', 'security', 'plan'])

const Plan = ({ settings }: { settings: BusinessSettings }) => {
  const usage = useQuery(smsUsageQuery).data
  return (
    <PlanSection
      meters={[
        {
          of: 'customers',
          label: 'Active customers',
          used: settings.activeCustomers,
          limit: settings.customerLimit,
          atLimit: 'no customer can be added until some are archived.',
        },
        ...(usage
          ? [
              {
                of: 'segments' as const,
                label: 'SMS segments this month',
                used: usage.segmentsUsed,
                limit: usage.segmentLimit,
                atLimit: 'texts wait until next month, e-mail goes on.',
              },
            ]
          : []),
      ]}
    />
  )
}

/** Who you are here, and how the business works: what every plan, price and invoice goes by. */
export const ProfileScreen = () => {
  const user = useUser()
  const forSupport = useSupport() !== null
  const may = useMay()
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
  const mayChange = may(businessesApi.update)
  const today = dayOf(new Date(), user.business.timeZone)
  return (
    <MayChange value={mayChange}>
      <PageHeader
        title="Profile"
        sub={forSupport ? 'The settings of the business' : 'You, your plan and the settings of the business'}
        actions={<Button href="/integrations">Integrations</Button>}
      />
      <div className="settings">
        <nav className="settings__nav" aria-label="Parts of the settings">
          {parts
            .filter(([id]) => user.role === 'Owner' || !ownersParts.has(id))
            .filter(([id]) => !forSupport || !ownParts.has(id))
            .map(([id, label]) => (
              <a key={id} href={`#${id}`}>
                {label}
              </a>
            ))}
        </nav>
        <div className="settings__parts">
          {forSupport ? null : (
            <>
              <YourDetails />
              <SecuritySection />
            </>
          )}
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
              {mayChange || forSupport ? null : (
                <Banner>You can look at the settings. The owner can change them, or let you.</Banner>
              )}
              {forSupport ? null : <Plan settings={settings} />}
              <DetailsSection settings={settings} />
              <SeasonSection settings={settings} today={today} />
              <LogoSection settings={settings} />
              <InvoicingSection settings={settings} />
              <PublicPageSection settings={settings} />
              <NumbersSection settings={settings} />
              <TaxSection settings={settings} />
              <CostsSection settings={settings} />
              <QuietSection settings={settings} />
            </>
          )}
          <SupportSection />
          <AccountSection />
        </div>
      </div>
    </MayChange>
  )
}
