import type { ComponentType } from 'react'
import { AboutPage } from './AboutPage.tsx'
import { ApplicationPage } from './ApplicationPage.tsx'
import { BookCallPage } from './BookCallPage.tsx'
import { ContactPage } from './ContactPage.tsx'
import { FaqPage } from './FaqPage.tsx'
import { FeaturesPage } from './FeaturesPage.tsx'
import { HomePage } from './HomePage.tsx'
import { LandingPage } from './LandingPage.tsx'
import { PricingPage } from './PricingPage.tsx'
import { PrivacyPage } from './PrivacyPage.tsx'
import { SmsTermsPage } from './SmsTermsPage.tsx'
import type { SitePageName } from './site.ts'
import { faqData, organizationData, softwareData } from './structuredData.ts'
import { TermsPage } from './TermsPage.tsx'
import { TrainingPage } from './TrainingPage.tsx'

type PublicPage = { Content: ComponentType; data?: readonly object[] }

/** What stands on each page of the public site, and what it tells a search engine. */
export const publicPages: Record<SitePageName, PublicPage> = {
  home: { Content: HomePage, data: [organizationData, softwareData] },
  features: { Content: FeaturesPage },
  pricing: { Content: PricingPage, data: [softwareData] },
  training: { Content: TrainingPage },
  faq: { Content: FaqPage, data: [faqData] },
  contact: { Content: ContactPage },
  about: { Content: AboutPage },
  terms: { Content: TermsPage },
  landing: { Content: LandingPage },
  privacy: { Content: PrivacyPage },
  'sms-terms': { Content: SmsTermsPage },
  application: { Content: ApplicationPage },
  'book-call': { Content: BookCallPage },
}
