import { plainNumber } from '../../../chemicals/rules.ts'
import { type DayLoad, inBigger, type LoadLine, packagesOf, poundsOf } from '../../load/rules.ts'
import type { LoadTexts } from './loadTexts.ts'

type LoadThing = { key: string; label: string; hint?: string; out?: string }

/** What is loaded, in words, by where it stands. */
export const thingsOf = (load: DayLoad, words: LoadTexts): { title: string; things: LoadThing[] }[] => {
  const amount = (line: Pick<LoadLine, 'amount' | 'unit'>) =>
    `${plainNumber(line.amount)} ${words.units[line.unit] ?? line.unit}`
  const thing = (line: LoadLine): LoadThing => {
    const more = inBigger(line)
    return {
      // an amount that changes is loaded anew
      key: `${line.name} ${line.amount} ${line.unit}`,
      label: words.line({ name: line.name, amount: amount(line), bigger: more && amount(more) }),
      hint: words.stops(line.stops),
    }
  }
  // what is carried to the truck: whole packages with their size, and how much of them is needed
  const packed = (line: LoadLine): LoadThing => {
    const [count, pounds] = [packagesOf(line), poundsOf(line)]
    if (!line.pack || count === null) return thing(line)
    const packages = words.packed(plainNumber(count), count === 1, line.pack.of)
    const isLoose = line.pack.of === 'yard' && line.pack.size === 1
    return {
      key: `${line.name} ${line.amount} ${line.unit}`,
      label: words.line({
        name: line.name,
        amount: isLoose ? packages : words.sized(packages, amount({ amount: line.pack.size, unit: line.unit })),
        bigger: null,
      }),
      hint: `${words.needed(amount(line), pounds === null ? null : words.weighs(plainNumber(pounds)))}, ${words.stops(line.stops)}`,
    }
  }
  const water: LoadThing[] = load.waterGallons
    ? [
        {
          key: `water ${load.waterGallons}`,
          label: words.line({
            name: words.water,
            amount: amount({ amount: load.waterGallons, unit: 'gal' }),
            bigger: null,
          }),
        },
      ]
    : []
  const groups: { title: string; things: LoadThing[] }[] = [
    {
      title: words.equipment,
      things: load.equipment.map(({ name, out }) => ({
        key: name,
        label: name,
        ...(out === null ? {} : { out: words.out(out) }),
      })),
    },
    { title: words.products, things: [...load.products.map(thing), ...water] },
    { title: words.materials, things: load.materials.map(packed) },
  ]
  return groups.filter(({ things }) => things.length > 0)
}

/** What the whole load weighs, in words; null where nothing of it is known. */
export const weightWords = ({ weight }: Pick<DayLoad, 'weight'>, words: LoadTexts): string | null =>
  weight && words.weight(plainNumber(weight.pounds), weight.isLeast)
