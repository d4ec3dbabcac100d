import { paths } from '../../../shared/paths.ts'

/** Every prerendered page: file name (`public/<name>.html`), path, and what a search engine shows. */
export const sitePages = {
  home: {
    path: paths.home,
    title: 'Swath: route, schedule, and invoice in minutes',
    description:
      'Software for lawn-care businesses. Plan each crew’s day, book the season and invoice finished visits from one place.',
  },
  features: {
    path: paths.features,
    title: 'Features: routes, schedule, invoices and a crew app',
    description:
      'What Swath does for a lawn-care business: crew routes, recurring schedules, invoices, card payments and a crew app that works without signal.',
  },
  pricing: {
    path: paths.pricing,
    title: 'Pricing: Basic, Pro and Enterprise',
    description:
      'Swath costs $49.99, $79.99 or $199.99 a month, or 17% less by the year. Customer limits, SMS segments and features of each plan.',
  },
  training: {
    path: paths.training,
    title: 'Training: from customer list to first route',
    description:
      'How an owner, the office and a crew learn Swath: bring your list in, book the season, plan a day, work it on a phone, send the invoices.',
  },
  faq: {
    path: paths.faq,
    title: 'Questions lawn-care owners ask',
    description:
      'Straight answers about moving to Swath, phones without signal, route order, card payments, text messages, plans and the Setup Sprint.',
  },
  contact: {
    path: paths.contact,
    title: 'Contact Swath',
    description:
      'Reach Swath by form, e-mail or phone, and what to send along so that the first answer is the one you need.',
  },
  about: {
    path: paths.about,
    title: 'About Swath',
    description:
      'Why Swath is built around one picture: a crew’s day drawn as a mowed strip, with the drive between lawns in plain sight.',
  },
  terms: {
    path: paths.terms,
    title: 'Terms of service',
    description:
      'The agreement between your lawn-care business and Swath, including the rules of the free Setup Sprint and the $299 onboarding fee.',
  },
  landing: {
    path: paths.landing,
    title: 'Free Setup Sprint for lawn-care businesses',
    description:
      'Fourteen days, two 20-minute calls, and your real customers and crews in Swath. Ten businesses a month.',
  },
  privacy: {
    path: paths.privacy,
    title: 'Privacy',
    description:
      'What Swath keeps about your business, your customers and your crew, why, for how long, and how to get it out or deleted.',
  },
  'sms-terms': {
    path: paths.smsTerms,
    title: 'Text message terms',
    description: 'How texts sent through Swath work: consent, how to stop them, hours, message and data rates.',
  },
  application: {
    path: paths.application,
    title: 'Apply for the free Setup Sprint',
    description:
      'Apply for the free Setup Sprint: six questions, kept as you answer them, and a call to talk them over. Ten businesses a month.',
  },
  'book-call': {
    path: paths.bookCall,
    title: 'Book a call',
    description:
      'Pick a free time for a 20-minute call or a 30-minute demo of Swath. The calendar file comes by e-mail; move or cancel with one link.',
  },
} as const

export type SitePageName = keyof typeof sitePages

/** Pages with a form: only they load its script. */
export const formPages: readonly SitePageName[] = ['landing', 'application', 'book-call', 'contact']

/** The public nav's links, in the specification's order. */
export const navLinks = [
  { href: paths.home, label: 'Home' },
  { href: paths.features, label: 'Features' },
  { href: paths.pricing, label: 'Pricing' },
  { href: paths.training, label: 'Training' },
  { href: paths.faq, label: 'FAQ' },
  { href: paths.contact, label: 'Contact' },
  { href: paths.about, label: 'About' },
  { href: paths.terms, label: 'Terms' },
] as const

export const applyLabel = 'Apply for Free Setup Sprint'
