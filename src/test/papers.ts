import sharp from 'sharp'
import { extractText } from 'unpdf'
import { type Report, reportOf } from '../features/analytics/report/rules.ts'
import { reportPdf } from '../features/analytics/report/server/pdf.ts'
import { doorCardsPdf } from '../features/doorcards/server/pdf.ts'
import type { PaymentFacts } from '../features/invoices/papers/rules.ts'
import { paymentPaper } from '../features/invoices/papers/server/paper.ts'
import { type InvoicePaper, invoicePdf, paperPdf } from '../features/invoices/server/pdf.ts'
import type { Logo } from '../features/invoices/server/sheet.ts'
import { statementPaper } from '../features/invoices/statements/server/paper.ts'
import { evidencePdf } from '../features/payments/disputes/server/pdf.ts'
import { drawInvoice } from '../features/subscriptions/server/pdf.ts'
import { addDays } from '../shared/dates.ts'

/** A customer's name of sixty characters, with letters that lie outside of Latin-1. */
export const longName = 'Nguyễn Thị Hồng Đào & Łukasz Müller-Søndergård Lawns of Yore'

const sender = {
  name: 'Green Valley Lawn Care',
  phone: '+15550100142',
  email: 'office@greenvalley.example',
  street: '88 Depot Road',
  city: 'Austin',
  state: 'TX',
  zip: '78701',
  brandColor: '#14432f',
  invoiceTerms: 'Please pay within 14 days. Checks go to Green Valley Lawn Care.',
}

type Line = InvoicePaper['lines'][number]

const lineOf = (index: number, changes: Partial<Line>): Line => {
  const line = { description: 'Weekly mowing', place: '12 North Oak Street', quantity: 1, unitPriceCents: 5500 }
  const { quantity, unitPriceCents } = { ...line, ...changes }
  return {
    id: `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`,
    visitId: null,
    propertyId: null,
    taxCategory: 'none',
    serviceOn: addDays('2026-04-01', index),
    totalCents: Math.round(quantity * unitPriceCents),
    ...line,
    ...changes,
  }
}

const paper = (changes: Partial<InvoicePaper> & { lines: Line[] }): InvoicePaper => {
  const subtotalCents = changes.lines.reduce((sum, line) => sum + line.totalCents, 0)
  const { discountCents = 0, paidCents = 0, taxes = [] } = changes
  const totalCents = subtotalCents - discountCents + taxes.reduce((sum, tax) => sum + tax.taxCents, 0)
  return {
    number: 1042,
    issueOn: '2026-05-01',
    dueOn: '2026-05-15',
    billTo: {
      name: 'José Ibáñez',
      company: null,
      street: '12 North Oak Street',
      city: 'Austin',
      state: 'TX',
      zip: '78704',
    },
    taxes,
    subtotalCents,
    discountCents,
    totalCents,
    paidCents,
    balanceCents: totalCents - paidCents,
    message: '',
    ...changes,
  }
}

const aLogo = async (): Promise<Logo> => {
  const [width, height] = [720, 240]
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#14432f"/><circle cx="120" cy="120" r="80" fill="#b9d65c"/><rect x="250" y="90" width="400" height="60" fill="#ffffff"/></svg>`
  return { bytes: await sharp(Buffer.from(drawing)).jpeg({ quality: 90 }).toBuffer(), width, height }
}

const to = paper({ lines: [] }).billTo
const payment: PaymentFacts = {
  method: 'check',
  amountCents: 15_000,
  refundedCents: 2000,
  tipCents: 0,
  status: 'succeeded',
  receivedOn: '2026-05-08',
  note: 'Check 2217, for May and the hedge',
  receiptNumber: 1007,
  creditNote: null,
  job: null,
  on: [
    { number: 1042, issueOn: '2026-05-01', amountCents: 5500 },
    { number: 1051, issueOn: '2026-05-07', amountCents: 4250 },
  ],
}
const paymentOf = (changes: Partial<PaymentFacts>): Promise<Uint8Array> =>
  paperPdf({ paper: paymentPaper({ ...payment, ...changes }, to), sender, logo: null })

/** Entries that take what is owed up and down, so that the balance is below nothing now and then. */
const entries = Array.from({ length: 44 }, (_, index) => ({
  id: lineOf(index, {}).id,
  onDay: addDays('2026-04-01', index),
  label: index % 4 === 3 ? `Payment by check, R-${1000 + index}` : `Invoice INV-${1000 + index}`,
  amountCents: index % 4 === 3 ? -20_000 : 5500 + index,
})).map((entry, index, all) => ({
  ...entry,
  balanceCents: all.slice(0, index + 1).reduce((sum, { amountCents }) => sum + amountCents, 1250),
}))
const statementOf = (length: number, billTo = to): Promise<Uint8Array> => {
  const shown = entries.slice(0, length)
  const sumOf = (sign: 1 | -1) =>
    shown.reduce((sum, { amountCents }) => (amountCents * sign > 0 ? sum + amountCents : sum), 0)
  const statement = {
    from: '2026-04-01',
    to: '2026-05-31',
    openingCents: 1250,
    entries: shown,
    chargedCents: sumOf(1),
    voidedCents: 0,
    returnedCents: 0,
    paidCents: sumOf(-1),
    closingCents: shown.at(-1)?.balanceCents ?? 1250,
    notes: [],
  }
  const drawn = statementPaper(statement, billTo, 'https://swath.example/statement/abc', sender.invoiceTerms)
  return paperPdf({ paper: drawn, sender, logo: null })
}

const ours = {
  number: 'SW-0007',
  status: 'paid',
  description: 'Pro, monthly',
  issuedAt: '2026-03-08T07:30:00.000Z',
  livemode: true,
  subtotalCents: 9900,
  discountCents: 0,
  taxCents: 817,
  totalCents: 10717,
  paidCents: 10717,
  to: { name: 'Green Valley Lawn Care', street: '88 Depot Road', city: 'Austin', state: 'TX', zip: '78701' },
}
const oursOf = (invoice: typeof ours): Promise<Uint8Array> =>
  drawInvoice({
    invoice,
    timeZone: 'America/Los_Angeles',
    support: { email: 'help@swath.example', phone: '(555) 010-0142' },
  })

/** Every paper that the product draws, in the states that have made trouble on paper: few lines, many, none, a logo, long names, a test. */
/** A report in which every rule has something to say. */
const reportPaper = (): Report =>
  reportOf(
    {
      revenue: [{ day: '2026-06-02', totalRevenue: 48_210.55 }],
      revenueChange: -8.3,
      customerChange: null,
      jobChange: 0,
      customerMetrics: { total: 212, active: 187, smsConsent: 101, averageLifetimeValue: 2310.4 },
      revenueAnalysis: {
        totalCompletions: 731,
        capturedRevenue: 20_105.1,
        uncapturedRevenue: 28_105.45,
        captureRate: 41.7,
        jobsWithPaidInvoices: 88,
        jobsAwaitingPayment: 102,
        totalCompletedRevenue: 48_210.55,
        completedJobsCount: 190,
      },
      jobMetrics: { completed: 731 },
      invoiceMetrics: { total: 204, paid: 97, overdue: 31, paymentRate: 47.5 },
      quoteMetrics: { total: 24, approved: 6, conversionRate: 25, averageValue: 1820 },
      routeMetrics: { averageJobsPerRoute: 4.6 },
      averageInvoiceAmount: 236.33,
    },
    { business: 'Green Valley Lawn Care', period: 'month', today: '2026-06-30' },
  )

export const papers = {
  invoice: () =>
    invoicePdf({
      invoice: paper({
        lines: [
          lineOf(0, {}),
          lineOf(7, { description: 'Fertilizer, 6,500 sq ft', quantity: 6.5, unitPriceCents: 1250 }),
          lineOf(14, { description: 'Hedge trimming', place: null, unitPriceCents: 115000 }),
        ],
        taxes: [{ name: 'Sales tax', ratePercent: 8.25, baseCents: 128625, taxCents: 10612 }],
        message: 'Thank you for letting us look after your lawn.',
      }),
      sender,
      payUrl: 'https://swath.example/i/abc',
      logo: null,
    }),
  'long-invoice': () =>
    invoicePdf({
      invoice: paper({
        billTo: {
          name: longName,
          company: 'Condominiums at Peñasco Ridge Homeowners’ Association',
          street: '1200 South Congress Avenue, Building C',
          city: 'Dripping Springs',
          state: 'TX',
          zip: '78620',
        },
        lines: Array.from({ length: 36 }, (_, index) =>
          lineOf(index, { place: `${100 + index} North Oak Street`, unitPriceCents: 5500 + index }),
        ),
        discountCents: 10_000,
        taxes: [
          { name: 'Texas state sales tax', ratePercent: 6.25, baseCents: 188_630, taxCents: 11_789 },
          {
            name: 'Travis County, Capital Metro Transit Authority, and Emergency Services District',
            ratePercent: 2,
            baseCents: 188_630,
            taxCents: 3773,
          },
        ],
        paidCents: 100_000,
        message: 'The gate of Building C was locked on two days; those visits are not on this invoice.',
      }),
      sender: {
        ...sender,
        invoiceTerms: Array.from({ length: 60 }, (_, i) => `${i + 1}. ${sender.invoiceTerms}`).join('\n'),
      },
      payUrl: 'https://swath.example/i/abc',
      logo: null,
    }),
  'invoice-with-logo': async () =>
    invoicePdf({
      invoice: paper({ lines: [lineOf(0, {})], paidCents: 5500 }),
      sender: { ...sender, name: 'Green Valley Lawn Care & Landscaping of Central Texas, LLC' },
      payUrl: 'https://swath.example/i/abc',
      logo: await aLogo(),
    }),
  'invoice-paid': () =>
    invoicePdf({
      invoice: paper({
        lines: [lineOf(0, {}), lineOf(7, { unitPriceCents: 49_428, description: 'Season, paid ahead' })],
        paidCents: 54_928,
        creditedCents: 42_388,
        closed: 'paid',
        came: [
          { onDay: '2026-05-08', method: 'card', cents: 54_928, name: 'R-1007' },
          { onDay: '2026-06-01', method: 'card', cents: -42_388, name: '' },
          { onDay: '2026-06-01', method: 'credit', cents: 42_388, name: 'CN-1003' },
        ],
      }),
      sender,
      payUrl: 'https://swath.example/i/abc',
      logo: null,
    }),
  'invoice-with-deposit': () =>
    invoicePdf({
      invoice: paper({
        lines: [
          lineOf(0, { description: 'Mulch, 12 yards, spread and edged', unitPriceCents: 138_000 }),
          lineOf(3, { description: 'Removal of the old bed', unitPriceCents: 24_500 }),
        ],
        taxes: [{ name: 'Sales tax', ratePercent: 8.25, baseCents: 162_500, taxCents: 13_406 }],
        paidCents: 60_000,
        came: [
          { onDay: '2026-04-12', method: 'card', cents: 50_000, name: 'R-1002', deposit: true },
          { onDay: '2026-05-06', method: 'check', cents: 10_000, name: 'R-1011' },
        ],
      }),
      sender,
      payUrl: 'https://swath.example/i/abc',
      logo: null,
    }),
  'invoice-too-much': () =>
    invoicePdf({
      invoice: paper({ lines: [lineOf(0, { unitPriceCents: 104_500_000 })] }),
      sender,
      payUrl: 'https://swath.example/i/abc',
      logo: null,
    }),
  'invoice-without-lines': () =>
    invoicePdf({
      invoice: paper({ lines: [], issueOn: null, dueOn: null }),
      sender: { ...sender, phone: null, email: null, street: null, city: null, state: null, zip: null },
      payUrl: null,
      logo: null,
    }),
  statement: () => statementOf(entries.length, { ...to, name: longName }),
  'statement-without-entries': () => statementOf(0),
  receipt: () => paymentOf({}),
  'receipt-of-deposit': () =>
    paymentOf({ on: [], refundedCents: 0, job: { number: 12, title: `Patio for ${longName}` }, method: 'ach' }),
  'credit-note': () =>
    paymentOf({
      method: 'credit',
      amountCents: 5500,
      refundedCents: 0,
      note: 'The bed along the fence was left half done, and the gate stood open for a night',
      receiptNumber: null,
      creditNote: { number: 1003, netCents: 5081, taxCents: 419, invoiceNumber: 1042 },
      on: [{ number: 1042, issueOn: '2026-05-01', amountCents: 3000 }],
    }),
  evidence: async () => {
    const { bytes, width, height } = await aLogo()
    return evidencePdf({
      title: `${longName}: payment of $150.00`,
      text: Array.from({ length: 50 }, (_, at) => `${at + 1}. The lawn was mowed, as on the photos.`).join('\n'),
      pictures: Array.from({ length: 3 }, () => ({ bytes, width, height })),
    })
  },
  'door-cards': () =>
    doorCardsPdf({
      name: `${longName} Lawn Care`,
      phone: '+19125550147',
      brandColor: '#2766a8',
      language: 'es',
      offer: 'La primera vez a mitad de precio, si nos escribe antes del fin de mes y vive en la misma calle.',
      street: '132 Laurel Green Ct',
      url: 'https://swath.example/profile/whitfield-lawn?ref=card-abcd2345',
      doors: [
        '130 Laurel Green Ct',
        '134 Laurel Green Ct',
        '136 Laurel Green Ct',
        '138 Laurel Green Ct',
        '140 Laurel Green Ct',
      ].map((street) => ({ street, city: 'Savannah' })),
    }),
  'analytics-report': () => reportPdf(reportPaper()),
  'analytics-report-long': () => {
    const report = reportPaper()
    // more rows and words than a page holds: they go on at the top of the next one
    return reportPdf({
      ...report,
      business: `${longName} and Daughters of the Hill Country`,
      sections: report.sections.map((section) => ({
        ...section,
        ...(section.tables
          ? {
              tables: section.tables.map((table) => ({
                ...table,
                rows: [...table.rows, ...table.rows, ...table.rows],
              })),
            }
          : {}),
        ...(section.list ? { list: [...section.list, ...section.list, ...section.list] } : {}),
      })),
    })
  },
  'subscription-invoice': () => oursOf(ours),
  'subscription-test-invoice': () =>
    oursOf({
      ...ours,
      number: 'SW-0008',
      status: 'open',
      livemode: false,
      description: 'Pro, yearly, with the rest of the month that was paid for Basic given back',
      discountCents: 1900,
      totalCents: 8817,
      paidCents: 0,
      to: { ...ours.to, name: `${longName} and Daughters of the Hill Country` },
    }),
}

export type PaperName = keyof typeof papers

/** The words of a PDF as a person reads them: the lines of each page. */
export const readPdf = async (bytes: Uint8Array): Promise<string[][]> => {
  const { text } = await extractText(Uint8Array.from(bytes), { mergePages: false })
  return text.map((page) => page.split('\n'))
}
