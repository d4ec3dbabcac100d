import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { dayOf } from '../../../shared/dates.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Card } from '../../../ui/Card.tsx'
import { keepDraftsOf, useUnsaved } from '../../../ui/drafts.ts'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { lazyPart } from '../../../ui/lazyAhead.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { CardSkeleton, PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { AccountSection } from '../../accounts/closing/web/AccountSection.tsx'
import { SecuritySection } from '../../accounts/me/web/SecuritySection.tsx'
import { YourDetails } from '../../accounts/me/web/YourDetails.tsx'
import { useMay, useOnlyLooks, useTour, useUser } from '../../accounts/web/session.ts'
import { type BusinessSettings, businessesApi } from '../../businesses/contract.ts'
import { AutoInvoicesSection } from '../../businesses/web/AutoInvoicesSection.tsx'
import { ColorSection, LogoSection, PublicPageSection } from '../../businesses/web/BrandSection.tsx'
import { CostsSection, DetailsSection, QuietSection, RoutesSection } from '../../businesses/web/BusinessSections.tsx'
import { CashDiscountSection } from '../../businesses/web/CashDiscountSection.tsx'
import { businessQuery, smsUsageQuery } from '../../businesses/web/data.ts'
import { InvoicingSection } from '../../businesses/web/InvoicingSection.tsx'
import { LateFeesSection } from '../../businesses/web/LateFeesSection.tsx'
import { NoticesSection, NoticeTextsSection } from '../../businesses/web/NoticesSection.tsx'
import { NumbersSection } from '../../businesses/web/NumbersSection.tsx'
import { SeasonSection } from '../../businesses/web/SeasonSection.tsx'
import { MayChange } from '../../businesses/web/Section.tsx'
import { SkipsSection } from '../../businesses/web/SkipsSection.tsx'
import { TaxSection } from '../../businesses/web/TaxSection.tsx'
import { TipsSection } from '../../businesses/web/TipsSection.tsx'
import { WeatherSection } from '../../businesses/web/WeatherSection.tsx'
import { CustomFieldsCard } from '../../customers/custom/web/CustomFieldsCard.tsx'
import { TeamCard } from '../../employees/web/TeamCard.tsx'
import { ExportCard } from '../../exports/web/ExportCard.tsx'
import { OvergrownSection } from '../../extras/web/OvergrownSection.tsx'
import { IntegrationsCard } from '../../integrations/web/IntegrationsCard.tsx'
import { NewsCard } from '../../notifications/choices/web/NewsCard.tsx'
import { CardAccountCard } from '../../payments/connect/web/CardAccountCard.tsx'
import { PortalSection } from '../../portal/web/PortalSection.tsx'
import { PushCard } from '../../push/web/PushCard.tsx'
import { NearSection } from '../../quotes/days/web/NearSection.tsx'
import { ReviewsSection } from '../../reviews/web/ReviewsSection.tsx'
import { PhrasesSection } from '../../stops/web/PhrasesSection.tsx'
import { SupportSection } from '../../support/web/SupportSection.tsx'
import { BookedOff } from '../../visits/daysoff/web/BookedOff.tsx'
import { AppearanceCard } from './AppearanceCard.tsx'
import { ImportCard } from './ImportCard.tsx'
import { SettingsNav } from './SettingsNav.tsx'
import { sectionAt, settingsFor } from './settingsIndex.ts'
import './settings.css'

/** Cards that few look at and that bring forms of their own. */
const PlanSection = lazyPart(() => import('../../subscriptions/web/PlanSection.tsx').then((m) => m.PlanSection))
const Senders = lazyPart(() => import('../../senders/web/SenderCards.tsx').then((m) => m.SenderCards))

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

/** Waits for the settings of the business, and says once who may not change them. */
const OfBusiness = ({ children }: { children: (settings: BusinessSettings) => ReactNode }) => {
  const onlyLooks = useOnlyLooks()
  const mayChange = useMay()(businessesApi.update)
  const found = useQuery(businessQuery)
  return (
    <MayChange value={mayChange}>
      {found.data ? (
        <>
          {mayChange || onlyLooks ? null : (
            <Banner>You can look at the settings. The owner can change them, or let you.</Banner>
          )}
          {children(found.data)}
        </>
      ) : found.isError ? (
        <ErrorState
          error={found.error}
          title="We could not load the settings"
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : (
        <>
          <CardSkeleton />
          <Card>
            <PanelSkeleton />
          </Card>
        </>
      )}
    </MayChange>
  )
}

const Season = ({ settings }: { settings: BusinessSettings }) => {
  const { business } = useUser()
  return (
    <>
      <BookedOff />
      <SeasonSection settings={settings} today={dayOf(new Date(), business.timeZone)} />
    </>
  )
}

const cards: Readonly<Record<string, () => ReactNode>> = {
  you: () => (
    <>
      <YourDetails />
      <NewsCard />
      <PushCard />
      <AppearanceCard />
    </>
  ),
  security: () => <SecuritySection />,
  business: () => (
    <>
      <OfBusiness>{(settings) => <DetailsSection settings={settings} />}</OfBusiness>
      <CustomFieldsCard />
    </>
  ),
  schedule: () => (
    <OfBusiness>
      {(settings) => (
        <>
          <Season settings={settings} />
          <RoutesSection settings={settings} />
          <WeatherSection settings={settings} />
          <QuietSection settings={settings} />
          <SkipsSection settings={settings} />
          <PhrasesSection />
          <OvergrownSection />
        </>
      )}
    </OfBusiness>
  ),
  messages: () => (
    <OfBusiness>
      {(settings) => (
        <>
          <NoticesSection settings={settings} />
          <NoticeTextsSection settings={settings} />
          <ReviewsSection />
          <PortalSection settings={settings} />
          <Senders />
        </>
      )}
    </OfBusiness>
  ),
  money: () => (
    <OfBusiness>
      {(settings) => (
        <>
          <CardAccountCard />
          <InvoicingSection settings={settings} />
          <AutoInvoicesSection settings={settings} />
          <TipsSection settings={settings} />
          <CashDiscountSection settings={settings} />
          <NearSection />
          <LateFeesSection settings={settings} />
          <TaxSection settings={settings} />
          <NumbersSection settings={settings} />
          <CostsSection settings={settings} />
        </>
      )}
    </OfBusiness>
  ),
  brand: () => (
    <OfBusiness>
      {(settings) => (
        <>
          <LogoSection settings={settings} />
          <ColorSection settings={settings} />
          <PublicPageSection settings={settings} />
        </>
      )}
    </OfBusiness>
  ),
  team: () => <TeamCard />,
  plan: () => <OfBusiness>{(settings) => <Plan settings={settings} />}</OfBusiness>,
  data: () => (
    <>
      <ImportCard />
      <ExportCard />
      <SupportSection />
      <AccountSection />
    </>
  ),
  integrations: () => <IntegrationsCard />,
}

/**
 * Who you are here, and how the business works: what every plan, price and invoice goes by. Each section has its own address; without one a
 * desk shows the first, a phone the index.
 */
export const SettingsScreen = () => {
  const user = useUser()
  const onlyLooks = useOnlyLooks()
  const isTour = useTour() !== null
  useState(() => keepDraftsOf(user._id))
  const [params] = useSearchParams()
  const { hash } = useLocation()
  const anchor = hash.slice(1)
  const sections = settingsFor({ isOwner: user.role === 'Owner', isSupport: onlyLooks, isTour })
  const named = sectionAt(sections, params.get('section'), anchor)
  const section = named ?? sections[0]
  const unsaved = useUnsaved()
  const parts = useRef<HTMLDivElement>(null)
  const place = section && named ? section.id : null
  const before = useRef(place)
  useEffect(() => {
    if (before.current === place) return
    before.current = place
    const heading = parts.current?.querySelector<HTMLElement>('h1')
    if (!heading || !place) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [place])
  const ready = useQuery(businessQuery).isSuccess
  useEffect(() => {
    if (ready && anchor) document.getElementById(anchor)?.scrollIntoView()
  }, [ready, anchor])
  return (
    <div className={`settings${named ? ' has-section' : ''}`}>
      <div className="settings__index">
        <h1 className="settings__title">Profile</h1>
        <SettingsNav sections={sections} current={section?.id ?? null} unsaved={unsaved} />
      </div>
      {section ? (
        <div className="settings__parts" ref={parts}>
          <PageHeader title={section.label} sub={section.hint} back={{ href: '/profile', label: 'Profile' }} />
          {cards[section.id]?.()}
        </div>
      ) : null}
    </div>
  )
}
