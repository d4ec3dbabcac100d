import type { Package } from '../../../materials/rules.ts'
import type { Language } from '../texts.ts'

type Line = { name: string; amount: string; bigger: string | null }

const enMany: Readonly<Record<Package, string>> = {
  bag: 'bags',
  yard: 'yards',
  pallet: 'pallets',
  jug: 'jugs',
  box: 'boxes',
  roll: 'rolls',
  piece: 'pieces',
}
const esPackages: Readonly<Record<Package, readonly [string, string]>> = {
  bag: ['bolsa', 'bolsas'],
  yard: ['yarda', 'yardas'],
  pallet: ['tarima', 'tarimas'],
  jug: ['galonera', 'galoneras'],
  box: ['caja', 'cajas'],
  roll: ['rollo', 'rollos'],
  piece: ['pieza', 'piezas'],
}

const en = {
  title: (day: string) => `Load list, ${day}`,
  open: (day: string) => `Load list: ${day}`,
  ready: 'Everything is ticked.',
  left: (n: number) => (n === 1 ? '1 thing to load' : `${n} things to load`),
  equipment: 'Truck and machines',
  products: 'Products',
  materials: 'Material',
  water: 'Water',
  work: 'For this work',
  line: ({ name, amount, bigger }: Line) => `${name}: ${amount}${bigger ? ` (${bigger})` : ''}`,
  packed: (n: string, isOne: boolean, of: Package) => `${n} ${isOne ? of : enMany[of]}`,
  /** "1 bag of 50 lb". */
  sized: (packages: string, size: string) => `${packages} of ${size}`,
  needed: (amount: string, weight: string | null) => [`${amount} needed`, weight].filter(Boolean).join(', '),
  weighs: (pounds: string) => `weighs ${pounds} lb`,
  weight: (pounds: string, isLeast: boolean) => `The load weighs ${isLeast ? 'at least ' : ''}${pounds} lb.`,
  stops: (n: number) => (n === 1 ? 'for 1 stop' : `for ${n} stops`),
  timesStops: (name: string, n: number) => `${name} × ${n}`,
  out: (why: string) => `Out of service: ${why}`,
  unmeasured: (street: string, names: string) =>
    `${street}: ${names}. The lawn is not measured, so nobody knows how much.`,
  noMix: 'No mix is set for it.',
  units: { yard: 'yd', each: 'pc' } as Record<string, string | undefined>,
  mayChange: 'The office may still change this day.',
  changed: 'The day was changed after it was sent. Send it again before you load: this list is the one that was sent.',
  nothing: 'Nothing but the usual tools.',
}

const es: typeof en = {
  title: (day) => `Lista de carga, ${day}`,
  open: (day) => `Lista de carga: ${day}`,
  ready: 'Todo está marcado.',
  left: (n) => (n === 1 ? 'Falta cargar 1 cosa' : `Faltan por cargar ${n} cosas`),
  equipment: 'Camión y máquinas',
  products: 'Productos',
  materials: 'Material',
  water: 'Agua',
  work: 'Para este trabajo',
  line: ({ name, amount, bigger }) => `${name}: ${amount}${bigger ? ` (${bigger})` : ''}`,
  packed: (n, isOne, of) => `${n} ${esPackages[of][isOne ? 0 : 1]}`,
  sized: (packages, size) => `${packages} de ${size}`,
  needed: (amount, weight) => [`se necesitan ${amount}`, weight].filter(Boolean).join(', '),
  weighs: (pounds) => `pesa ${pounds} lb`,
  weight: (pounds, isLeast) => `La carga pesa ${isLeast ? 'al menos ' : ''}${pounds} lb.`,
  stops: (n) => (n === 1 ? 'para 1 parada' : `para ${n} paradas`),
  timesStops: (name, n) => `${name} × ${n}`,
  out: (why) => `Fuera de servicio: ${why}`,
  unmeasured: (street, names) => `${street}: ${names}. El césped no está medido, así que no se sabe cuánto.`,
  noMix: 'No tiene mezcla asignada.',
  units: { yard: 'yd', each: 'pza' },
  mayChange: 'La oficina todavía puede cambiar este día.',
  changed: 'El día cambió después de enviarlo. Envíenlo otra vez antes de cargar: esta lista es la que se envió.',
  nothing: 'Nada más que las herramientas de siempre.',
}

export type LoadTexts = typeof en
export const loadTexts = (language: Language): LoadTexts => (language === 'es' ? es : en)
