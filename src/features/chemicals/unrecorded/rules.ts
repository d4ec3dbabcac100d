/** How what a phone sent reads, also where it does not fit into a record. */

const labels: Readonly<Record<string, string>> = {
  mix: 'Mix',
  areaName: 'Area',
  areaSquareFeet: 'Square feet',
  products: 'Products',
  carrierGallons: 'Water, in gallons',
  target: 'Target',
  method: 'Method',
  equipment: 'Equipment',
  weather: 'Weather',
  soil: 'Soil',
  signPosted: 'Sign posted',
  noticeLeft: 'Notice left',
  neighborsTold: 'Neighbors told',
  incident: 'Incident',
  disposal: 'Disposal',
  signature: 'Signed',
}

const wordOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.map(wordOf).filter(Boolean).join('; ')
  if (typeof value === 'object')
    return Object.entries(value)
      .filter(([key]) => !key.endsWith('Id') && key !== 'source')
      .map(([, inner]) => wordOf(inner))
      .filter(Boolean)
      .join(', ')
  return String(value)
}

/** Every field that was typed, with its label; what is empty is left out. */
export const typedLines = (raw: Readonly<Record<string, unknown>>): { label: string; text: string }[] =>
  Object.entries(labels).flatMap(([key, label]) => {
    const text = wordOf(raw[key])
    return text === '' ? [] : [{ label, text }]
  })
