import { brand } from '../../../shared/brand.ts'
import { type BillingPeriod, plans, priceCents } from '../../billing/rules.ts'
import { originMark } from '../rules.ts'
import { faqGroups } from './faq.ts'
import { navLinks, type SitePageName, sitePages } from './site.ts'

const offer = (period: BillingPeriod) =>
  plans.map((plan) => ({
    '@type': 'Offer',
    name: `${plan.name}, ${period === 'year' ? 'yearly' : 'monthly'}`,
    price: (priceCents(plan, period) / 100).toFixed(2),
    priceCurrency: 'USD',
  }))

export const organizationData = {
  '@context': 'https://schema.org',
  '@type': 'Organization',
  name: brand.name,
  url: `${originMark}/`,
  logo: `${originMark}/icon-512.png`,
  contactPoint: {
    '@type': 'ContactPoint',
    contactType: 'customer support',
    email: brand.supportEmail,
    telephone: brand.supportPhone,
  },
}

/** Where a page stands: under the home page. */
export const breadcrumbData = (name: SitePageName) => {
  const { path, title } = sitePages[name]
  const short = navLinks.find(({ href }) => href === path)?.label ?? title
  const steps = [
    { label: 'Home', href: '/' },
    { label: short, href: path },
  ]
  return {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: steps.map(({ label, href }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: label,
      item: `${originMark}${href}`,
    })),
  }
}

export const softwareData = {
  '@context': 'https://schema.org',
  '@type': 'SoftwareApplication',
  name: brand.name,
  applicationCategory: 'BusinessApplication',
  operatingSystem: 'Web',
  url: `${originMark}/`,
  description: sitePages.home.description,
  offers: [...offer('month'), ...offer('year')],
}

export const faqData = {
  '@context': 'https://schema.org',
  '@type': 'FAQPage',
  mainEntity: faqGroups
    .flatMap((group) => group.questions)
    .map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: answer.join(' ') },
    })),
}
