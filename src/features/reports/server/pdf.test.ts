import { describe, expect, it } from 'vitest'
import { readPdf } from '../../../test/papers.ts'
import { partsOf, type TablePaper, tablePdf } from './pdf.ts'

const paper = (columns: number): TablePaper => ({
  title: 'Chemicals',
  business: 'Green Acres',
  sub: 'Last 30 days',
  columns: Array.from({ length: columns }, (_, at) => ({ label: `Column ${at + 1}`, isNumber: at > 40 })),
  rows: ['first', 'second'].map((row) => Array.from({ length: columns }, (_, at) => `${row} ${at + 1}`)),
  total: null,
  notes: ['A note below.'],
})

describe('columns side by side', () => {
  it('every column is in one part, the first two in all of them', () => {
    for (const columns of [1, 6, 14, 15, 47, 60]) {
      const parts = partsOf(columns)
      expect(new Set(parts.flat()).size).toBe(columns)
      for (const part of parts) {
        expect(part.length).toBeLessThanOrEqual(14)
        expect(part.slice(0, 2)).toEqual(columns === 1 ? [0] : [0, 1])
      }
      expect(parts.flatMap((part) => part.slice(2))).toEqual(
        Array.from({ length: Math.max(0, columns - 2) }, (_, n) => n + 2),
      )
    }
    expect([partsOf(14).length, partsOf(47).length]).toEqual([1, 4])
  })

  it('a report of 47 columns is a paper in parts, each of which says which columns it has and whose row it is', async () => {
    const pages = await readPdf(Buffer.from(await tablePdf(paper(47))))
    expect(pages).toHaveLength(4)
    const texts = pages.map((page) => page.join('\n'))
    expect(texts[0]).toContain('Part 1 of 4: columns 3 to 14 of 47')
    expect(texts[3]).toContain('Part 4 of 4: columns 39 to 47 of 47')
    for (const text of texts) expect(text).toMatch(/No\.[\s\S]*Column 1[\s\S]*first 1[\s\S]*second 2/)
    expect(texts[3]).toContain('second 47')
    expect(texts[3]).toContain('A note below.')
    expect(texts[3]).toContain('Page 4 of 4')
  })

  it('a report of few columns is told whole, without numbers of rows', async () => {
    const [page = []] = await readPdf(Buffer.from(await tablePdf(paper(9))))
    expect(page.join('\n')).not.toMatch(/Part|No\./)
  })
})
