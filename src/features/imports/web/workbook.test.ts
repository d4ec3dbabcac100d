import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { cellText, NoWorkbook, workbookText } from './workbook.ts'

const sheet = (rows: string) =>
  `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`

const workbook = (rows: string, extra: Record<string, Uint8Array> = {}): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(
    zipSync({
      '[Content_Types].xml': strToU8(
        '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>',
      ),
      'xl/workbook.xml': strToU8(
        '<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Clients" sheetId="1" r:id="rId1"/></sheets></workbook>',
      ),
      'xl/_rels/workbook.xml.rels': strToU8(
        '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
      ),
      'xl/styles.xml': strToU8(
        '<?xml version="1.0"?><styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>',
      ),
      'xl/worksheets/sheet1.xml': strToU8(sheet(rows)),
      ...extra,
    }),
  )

const text = (ref: string, value: string) => `<c r="${ref}" t="inlineStr"><is><t>${value}</t></is></c>`

describe('a workbook', () => {
  it('becomes the text of its first sheet: numbers, days, commas and line breaks', async () => {
    const made = workbook(
      `<row r="1">${text('A1', 'Name')}${text('B1', 'Start date')}${text('C1', 'Phone')}</row><row r="2">${text('A2', 'Lee, Ann')}<c r="B2" s="1"><v>46084</v></c><c r="C2"><v>9125550101</v></c></row>`,
    )
    expect(await workbookText(made)).toBe('Name,Start date,Phone\r\n"Lee, Ann",2026-03-03,9125550101')
  })

  it('is refused in words when it is none', async () => {
    await expect(workbookText(Uint8Array.from([0x50, 0x4b, 3, 4, 0, 0]))).rejects.toThrow(NoWorkbook)
    await expect(workbookText(Uint8Array.from(zipSync({ 'a.txt': strToU8('a') })))).rejects.toThrow(NoWorkbook)
  })

  it('is not unpacked when it would come to more than is read', async () => {
    const bomb = workbook('<row/>', { 'xl/media/a.bin': new Uint8Array(9 * 1024 * 1024) })
    expect(bomb.length).toBeLessThan(100_000)
    await expect(workbookText(bomb, 8 * 1024 * 1024)).rejects.toThrow('too large once it is unpacked')
  })

  it.each([
    [null, ''],
    [true, 'true'],
    [31401, '31401'],
    [new Date('2026-03-03T00:00:00Z'), '2026-03-03'],
  ])('%s is %j', (value, said) => expect(cellText(value)).toBe(said))
})
