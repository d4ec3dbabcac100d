/** Where each setting stands, and the words under which people look for it. */

export type SettingsCard = {
  /** The anchor of its card: `/profile?section=money#taxes`, and alone in older links: `/profile#taxes`. */
  id: string
  label: string
  /** What stands on it, and what others call it. */
  words: string
}

export type SettingsSection = {
  id: string
  label: string
  hint: string
  cards: readonly SettingsCard[]
  /** A person's own: not shown to support, who is nobody of the business. */
  only?: 'own'
}

/** Cards that only the owner has. */
const ownersCards = new Set(['support', 'export', 'account'])

export const settingsSections: readonly SettingsSection[] = [
  {
    id: 'you',
    label: 'You',
    hint: 'Name, phone, language, notifications, light or dark',
    only: 'own',
    cards: [
      { id: 'you', label: 'Your details', words: 'name e-mail email phone language spanish english sign out logout' },
      {
        id: 'news',
        label: 'What you hear of',
        words: 'notifications bell alerts preferences mute digest daily summary mail hour unread news',
      },
      {
        id: 'push',
        label: 'On this device',
        words: 'push alerts ring phone browser desktop notifications device',
      },
      { id: 'appearance', label: 'Appearance', words: 'dark light theme night mode colors system' },
    ],
  },
  {
    id: 'security',
    label: 'Security',
    hint: 'Password, second step, devices',
    only: 'own',
    cards: [
      {
        id: 'security',
        label: 'Sign-in & security',
        words:
          'password google second step two-factor 2fa authenticator recovery codes devices sessions sign out everywhere',
      },
    ],
  },
  {
    id: 'business',
    label: 'Business',
    hint: 'Name, address, time zone, custom fields',
    cards: [
      {
        id: 'details',
        label: 'Business details',
        words: 'name company phone e-mail email address street city state zip code time zone',
      },
      {
        id: 'custom-fields',
        label: 'Custom fields',
        words: 'custom fields own columns customers properties choice list date number irrigation',
      },
    ],
  },
  {
    id: 'schedule',
    label: 'Schedule',
    hint: 'Season, work days, routes, weather, quiet hours',
    cards: [
      {
        id: 'season',
        label: 'Season and work days',
        words: 'season start end work week days holidays closed hours shift winter',
      },
      {
        id: 'routes',
        label: 'Routes',
        words: 'routes optimize planning evenness even balance crews end finish together least driving workload',
      },
      {
        id: 'weather',
        label: 'Weather',
        words:
          'weather rain forecast push move day wet wind spray heat index treatments thresholds limits inches chance',
      },
      { id: 'quiet', label: 'Quiet hours', words: 'quiet hours texts sms night evening messages' },
      {
        id: 'skips',
        label: 'Skip reasons',
        words: 'skip reasons locked gate dog too wet charge trip fee photo note crews',
      },
      {
        id: 'phrases',
        label: 'Crew phrases',
        words: 'phrases notes canned words crew customer office next time spanish stop',
      },
      {
        id: 'overgrown',
        label: 'Overgrown lawns',
        words: 'overgrown tall grass upcharge surcharge extra photo percent dollars crews first cut',
      },
    ],
  },
  {
    id: 'messages',
    label: 'Messages',
    hint: 'What customers hear, and their portal',
    cards: [
      {
        id: 'notices',
        label: 'Customers know',
        words:
          'reminder day before moved notice on my way arrival window live page photos text automatic automations customers',
      },
      {
        id: 'notice-texts',
        label: 'Words of these messages',
        words: 'template text wording variables spanish english',
      },
      {
        id: 'reviews',
        label: 'Reviews',
        words: 'reviews review request stars rating ask after a visit google feedback reputation testimonials',
      },
      {
        id: 'portal',
        label: 'Customer portal',
        words: 'portal client hub self service sign in magic link skip pause hours add services requests',
      },
      { id: 'sender', label: 'Own mail address', words: 'domain dkim spf dmarc' },
      { id: 'texts', label: 'Registering texts', words: '10dlc' },
    ],
  },
  {
    id: 'money',
    label: 'Money',
    hint: 'Card payments, invoices, taxes, numbers, costs',
    cards: [
      {
        id: 'cards',
        label: 'Card payments',
        words: 'card payments stripe connect account bank payouts online pay credit debit',
      },
      {
        id: 'invoicing',
        label: 'Invoices',
        words:
          'invoice terms due days net 30 message foot check reminders by text sms mail both overdue credit pays by itself autopay notice card on file bank account ach debit',
      },
      {
        id: 'auto-invoices',
        label: 'Automatic invoices',
        words: 'automatic invoices batch by itself schedule daily weekly monthly send drafts auto',
      },
      { id: 'tips', label: 'Tips', words: 'tip gratuity crew suggested percent amount payroll' },
      {
        id: 'cash-discount',
        label: 'Paying without a card',
        words: 'cash discount surcharge convenience fee card cost bank check percent off law state',
      },
      {
        id: 'near',
        label: 'Quotes close to a route',
        words: 'density discount quote best day weekday neighborhood close route drive percent minutes',
      },
      {
        id: 'late-fees',
        label: 'Late fees',
        words: 'late fee interest overdue penalty percent grace cap waive second fee steps',
      },
      { id: 'taxes', label: 'Taxes', words: 'sales tax rate percent state' },
      { id: 'numbers', label: 'Numbers', words: 'next invoice number next job number sequence' },
      {
        id: 'costs',
        label: 'Costs and targets',
        words: 'wage labor cost mile fuel overtime drive speed roads target revenue per hour payroll burden',
      },
    ],
  },
  {
    id: 'brand',
    label: 'Brand',
    hint: 'Logo, color, public page',
    cards: [
      { id: 'logo', label: 'Logo', words: 'logo picture image truck' },
      { id: 'color', label: 'Your color', words: 'color brand hex' },
      { id: 'page', label: 'Public page', words: 'public page address website about slug link' },
    ],
  },
  {
    id: 'team',
    label: 'Team',
    hint: 'Who signs in, and to what',
    cards: [
      {
        id: 'team',
        label: 'Team',
        words: 'people employees admin owner role permissions rights invite invitation pin crew lead',
      },
    ],
  },
  {
    id: 'plan',
    label: 'Plan',
    hint: 'What you pay for, and what you use of it',
    only: 'own',
    cards: [
      {
        id: 'plan',
        label: 'Plan',
        words: 'subscription billing card trial basic pro enterprise cancel upgrade receipt coupon limit sms segments',
      },
    ],
  },
  {
    id: 'data',
    label: 'Data',
    hint: 'Import, export, support access, closing',
    cards: [
      { id: 'import', label: 'Bring customers in', words: 'import csv excel spreadsheet customers jobber upload' },
      { id: 'support', label: 'Support access', words: 'support help let in look grant access log' },
      {
        id: 'export',
        label: 'Export everything',
        words: 'export download everything backup csv zip archive leave files photos',
      },
      {
        id: 'account',
        label: 'Account',
        words: 'transfer new owner close delete business',
      },
    ],
  },
  {
    id: 'integrations',
    label: 'Integrations',
    hint: 'Payments, mail, texts, maps, books',
    cards: [
      {
        id: 'integrations',
        label: 'Integrations',
        words:
          'connect stripe card payments mail smtp texts twilio sms maps travel times geocoding google quickbooks bookkeeping push',
      },
    ],
  },
]

export type SettingsViewer = { isOwner: boolean /** Nobody of the business. */; isSupport: boolean; isTour?: boolean }

/** The settings that there are for somebody, in order. */
export const settingsFor = ({ isOwner, isSupport, isTour = false }: SettingsViewer): SettingsSection[] =>
  settingsSections
    .filter(({ only }) => !isSupport || only !== 'own')
    // What this server is connected to is no visitor's business.
    .filter(({ id }) => !isTour || id !== 'integrations')
    .map((section) => ({ ...section, cards: section.cards.filter(({ id }) => isOwner || !ownersCards.has(id)) }))
    .filter(({ cards }) => cards.length > 0)

/** The section that an address means: by its name, or by the anchor of one of its cards, as older links have it. */
export const sectionAt = (sections: readonly SettingsSection[], name: string | null, anchor: string) =>
  sections.find(({ id }) => id === name) ??
  sections.find(({ cards }) => cards.some(({ id }) => id === anchor || id === name))

export type SettingsHit = { section: SettingsSection; card: SettingsCard }

/** Settings that have every word typed, at the beginning of one of theirs; those named so first. */
export const searchSettings = (sections: readonly SettingsSection[], typed: string): SettingsHit[] => {
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return []
  const begins = (text: string) => {
    const words = text.toLowerCase().split(/[\s&]+/)
    return wanted.every((one) => words.some((word) => word.startsWith(one)))
  }
  const hits = sections.flatMap((section) =>
    section.cards
      .map((card) => ({ section, card, named: begins(card.label) || begins(section.label) }))
      .filter(({ named, card: { label, words } }) => named || begins(`${section.label} ${label} ${words}`)),
  )
  return hits.sort((a, b) => Number(b.named) - Number(a.named)).map(({ section, card }) => ({ section, card }))
}

export const settingsHref = (section: string, card?: string): string =>
  `/profile?section=${section}${card && card !== section ? `#${card}` : ''}`
