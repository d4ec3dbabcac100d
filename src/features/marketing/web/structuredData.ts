import { brand } from '../../../shared/brand.ts'
import { type BillingPeriod, plans, priceCents } from '../../billing/rules.ts'
import { faqGroups } from './faq.ts'
import { sitePages } from './site.ts'

const offer = (period: BillingPeriod) =>
  plans.map((plan) => ({
    '@type': 'Offer',
    name: `${plan.name}, ${period === 'year' ? 'yearly' : 'monthly'}`,
    price: (priceCents(plan, period) / 100).toFixed(2),
    priceCurrency: 'USD',
  }))

export const softwareData = {
  '@context': 'https://schema.org',
  '@type': 'SoftwareApplication',
  name: brand.name,
  applicationCategory: 'BusinessApplication',
  operatingSystem: 'Web',
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
