import sharp from 'sharp'
import { extractText } from 'unpdf'
import type { InvoicePaper } from '../features/invoices/server/pdf.ts'
import { invoicePdf } from '../features/invoices/server/pdf.ts'
import type { Logo } from '../features/invoices/server/sheet.ts'
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
  'invoice-without-lines': () =>
    invoicePdf({
      invoice: paper({ lines: [], issueOn: null, dueOn: null }),
      sender: { ...sender, phone: null, email: null, street: null, city: null, state: null, zip: null },
      payUrl: null,
      logo: null,
    }),
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
