import { describe, expect, it } from 'vitest'
import { longName, papers, readPdf } from '../../../test/papers.ts'

describe('what stands on an invoice', () => {
  it('whose it is, for whom, the days, every line with its sums, the tax, the total, the way to pay', async () => {
    const pages = await readPdf(await papers.invoice())
    expect(pages).toEqual([
      [
        'Green Valley Lawn Care',
        '88 Depot Road',
        'Austin, TX 78701',
        '(555) 010-0142',
        'office@greenvalley.example',
        'INV-1042',
        'Issued Fri, May 1, 2026',
        'Due Fri, May 15, 2026',
        'BILL TO',
        'José Ibáñez',
        '12 North Oak Street',
        'Austin, TX 78704',
        'Date Service Qty Price Amount',
        'Wed, Apr 1 Weekly mowing',
        '12 North Oak Street',
        '1 $55.00 $55.00',
        'Wed, Apr 8 Fertilizer, 6,500 sq ft',
        '12 North Oak Street',
        '6.5 $12.50 $81.25',
        'Wed, Apr 15 Hedge trimming 1 $1,150.00 $1,150.00',
        'Subtotal $1,286.25',
        'Sales tax 8.25% of $1,286.25 $106.12',
        'Total $1,392.37',
        'Balance due $1,392.37',
        'Pay this invoice online',
        'Scan the code with a phone, or type this address:',
        'https://swath.example/i/abc',
        'Thank you for letting us look after your lawn.',
        'Please pay within 14 days. Checks go to Green Valley Lawn Care.',
        'INV-1042 · Page 1 of 1',
      ],
    ])
  })

  it('a paid one is the receipt: what came and went back, each with its day and how, and no day to pay by', async () => {
    const [page = []] = await readPdf(await papers['invoice-paid']())
    expect(page).toContain('Paid')
    expect(page.join('\n')).not.toMatch(/Due|Pay this/)
    expect(page.slice(page.indexOf('Total $549.28'))).toEqual(
      expect.arrayContaining([
        'Paid Fri, May 8, 2026 by card, R-1007 -$549.28',
        'Given back Mon, Jun 1, 2026 by card $423.88',
        'Credited Mon, Jun 1, 2026, CN-1003 -$423.88',
        'Balance $0.00',
      ]),
    )
  })

  it('over more than a card is charged at once asks for no payment online', async () => {
    const lines = await readPdf(await papers['invoice-too-much']())
    expect(lines.flat().join('\n')).toContain('See this invoice online')
    expect(lines.flat().join('\n')).not.toContain('Pay this invoice online')
  })

  it('a long one goes on over pages: no line is lost, doubled or torn, each page has its head and number', async () => {
    const pages = await readPdf(await papers['long-invoice']())
    expect(pages).toHaveLength(4)
    expect(pages.map((page) => page.at(-1))).toEqual([1, 2, 3, 4].map((page) => `INV-1042 · Page ${page} of 4`))
    for (const page of pages.slice(0, 3)) expect(page).toContain('Date Service Qty Price Amount')
    const rows = pages.flatMap((page) => page.join(' ').match(/Weekly mowing \d+ North Oak Street 1 \S+/g) ?? [])
    expect(rows).toEqual(
      Array.from({ length: 36 }, (_, index) => {
        const price = ((5500 + index) / 100).toFixed(2)
        return `Weekly mowing ${100 + index} North Oak Street 1 $${price}`
      }),
    )
    expect(pages[2]?.join(' ')).toContain(
      [
        'Subtotal $1,986.30',
        'Discount -$100.00',
        'Texas state sales tax 6.25% of $1,886.30 $117.89',
        'Travis County, Capital Metro Transit Authority, and Emergency Services District 2% of $1,886.30 $37.73',
        'Total $2,041.92',
        'Paid -$1,000.00',
        'Balance due $1,041.92',
        'Pay this invoice online',
      ].join(' '),
    )
    const terms = pages.flatMap((page) => page.filter((line) => /^\d+\. Please pay/.test(line)))
    expect(terms.map((line) => Number.parseInt(line, 10))).toEqual(Array.from({ length: 60 }, (_, index) => index + 1))
  })

  it('names keep their letters, up to sixty of them on one line', async () => {
    expect(longName).toHaveLength(60)
    const [first] = await readPdf(await papers['long-invoice']())
    expect(first).toContain(longName)
    expect(first).toContain('Condominiums at Peñasco Ridge Homeowners’ Association')
  })

  it('with a logo the name stands below it, and what is paid leaves nothing to pay', async () => {
    const pages = await readPdf(await papers['invoice-with-logo']())
    const words = pages.flat().join(' ')
    expect(pages).toHaveLength(1)
    expect(words).toContain('Green Valley Lawn Care & Landscaping of Central Texas, LLC')
    expect(words).toContain('Total $55.00 Paid -$55.00 Balance due $0.00')
    expect(words).not.toContain('Pay this invoice online')
    expect(words).not.toContain('https://')
  })

  it('a draft without lines says so', async () => {
    const pages = await readPdf(await papers['invoice-without-lines']())
    const words = pages.flat().join(' ')
    expect(words).toContain('Draft')
    expect(words).toContain('Nothing on this invoice yet Subtotal $0.00 Total $0.00 Balance due $0.00')
    expect(words).not.toMatch(/Issued|Due |null|undefined|NaN/)
  })
})
