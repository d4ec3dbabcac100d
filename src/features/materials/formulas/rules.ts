/** How much of a material an area takes. Pure; areas in square feet, weights in pounds, depths in inches. Each says where its number is from. */

const thousands = (squareFeet: number): number => squareFeet / 1000

/**
 * Pounds of fertilizer for 1,000 sq ft: pounds of nitrogen × 100 ÷ nitrogen percent. 1 lb N of 28-3-6 is 3.57 lb.
 * Source: University of Nebraska, lawn fertilizer calculator.
 */
export const fertilizerPerThousand = (targetPounds: number, nitrogenPercent: number): number =>
  (targetPounds * 100) / nitrogenPercent

/** Pounds of a nutrient in so many pounds of product. The label's numbers are percent by weight: N, P2O5, K2O. */
export const nutrientPounds = (productPounds: number, percent: number): number => (productPounds * percent) / 100

/** Of a pound of nitrogen, what is not slow release; all of it where the label does not say. */
export const solublePounds = (nitrogenPounds: number, slowPercent: number | null): number =>
  nitrogenPounds * (1 - (slowPercent ?? 0) / 100)

export const grasses = ['kbg', 'kbgRye', 'rye', 'tallFescue', 'redFescue', 'bermuda'] as const
export type Grass = (typeof grasses)[number]
export const grassLabel: Readonly<Record<Grass, string>> = {
  kbg: 'Kentucky bluegrass',
  kbgRye: 'Bluegrass and ryegrass',
  rye: 'Perennial ryegrass',
  tallFescue: 'Tall fescue',
  redFescue: 'Red fescue',
  bermuda: 'Bermudagrass',
}

/** The grass that a product names, or null: "Hulled bermudagrass". A mix of bluegrass and ryegrass is one of its own. */
export const grassOf = (product: string): Grass | null => {
  const has = (words: RegExp) => words.test(product)
  if (has(/bermuda/i)) return 'bermuda'
  if (has(/fescue/i)) return has(/\b(red|creeping|fine|chewings|hard)\b/i) ? 'redFescue' : 'tallFescue'
  const [blue, rye] = [has(/blue ?grass|\bkbg\b/i), has(/\brye ?grass|\brye\b/i)]
  return blue ? (rye ? 'kbgRye' : 'kbg') : rye ? 'rye' : null
}

/**
 * Pounds of seed for 1,000 sq ft of a new lawn, from and to. Sources: Cornell sports fields (bluegrass, mixes, ryegrass, tall fescue);
 * a lawn guide for red fescue and bermudagrass.
 */
const newLawn: Readonly<Record<Grass, readonly [number, number]>> = {
  kbg: [1, 3],
  kbgRye: [3, 5],
  rye: [4, 6],
  tallFescue: [6, 8],
  redFescue: [4, 5],
  bermuda: [1, 2],
}

export const seedings = ['new', 'overseed'] as const
export type Seeding = (typeof seedings)[number]
export const seedingLabel: Readonly<Record<Seeding, string>> = { new: 'New lawn', overseed: 'Overseed' }

/** Pounds of seed for 1,000 sq ft, from and to; overseeding takes half of a new lawn. */
export const seedRange = (grass: Grass, seeding: Seeding): readonly [number, number] => {
  const [low, high] = newLawn[grass]
  return seeding === 'new' ? [low, high] : [low / 2, high / 2]
}

/** What of a bag comes up: purity × germination, both in percent (Cornell); 1 where the tag does not say both. */
export const pureLiveShare = (purityPercent: number | null, germinationPercent: number | null): number =>
  purityPercent === null || germinationPercent === null ? 1 : (purityPercent * germinationPercent) / 10_000

/** Cornell: buy about so much more than calculated. */
export const seedExtraPercent = 20

/** Pounds of seed: area × rate, divided by what of it comes up, with some to spare. */
export const seedPounds = (
  squareFeet: number,
  ratePounds: number,
  { liveShare, extraPercent }: { liveShare: number; extraPercent: number },
): number => ((thousands(squareFeet) * ratePounds) / liveShare) * (1 + extraPercent / 100)

/** Square feet that a cubic yard covers one inch deep: 27 cu ft × 12. */
const coverPerYardInch = 324

/** Cubic yards: sq ft × depth in inches ÷ 324. A yard covers 162 sq ft at 2 in. Source: suppliers' calculators; arithmetic. */
export const cubicYards = (squareFeet: number, depthInches: number, wastePercent = 0): number =>
  ((squareFeet * depthInches) / coverPerYardInch) * (1 + wastePercent / 100)

export const cubicFeetPerYard = 27

/** Of water, which a tank mix mostly is. */
export const poundsPerGallon = 8.34

/** Usual depth, what settles or is lost, and pounds of a yard (the upper figure of the source, for the truck). */
export const bulkUsual = {
  mulch: { depthInches: 3, wastePercent: 5, poundsPerYard: 800 },
  topsoil: { depthInches: 4, wastePercent: 10, poundsPerYard: 1600 },
  compost: { depthInches: 0.5, wastePercent: 10, poundsPerYard: 1500 },
  gravel: { depthInches: 3, wastePercent: 10, poundsPerYard: 2700 },
} as const

/** What of a pallet of sod is cut away: 5 to 10 percent. */
export const sodWastePercent = 5

/** Square feet of sod with what is cut away. A pallet is usually 50 sq yd, 450 sq ft; suppliers vary. */
export const sodSquareFeet = (squareFeet: number, wastePercent: number): number => squareFeet * (1 + wastePercent / 100)

/** One bag of 50 lb for 1,000 sq ft, unless a soil test says otherwise. */
export const limePerThousand = 50

/** Pounds, ounces or whatever the rate is in, for an area. */
export const byThousand = (squareFeet: number, perThousand: number): number => thousands(squareFeet) * perThousand

/** What of a product goes into a tank: rate per 1,000 sq ft × gallons of the tank ÷ gallons per 1,000 sq ft. */
export const productInTank = (ratePerThousand: number, tankGallons: number, gallonsPerThousand: number): number =>
  (ratePerThousand * tankGallons) / gallonsPerThousand

/** Gallons per acre: gallons per 1,000 sq ft × 43.56 (1.5 is 65). */
export const gallonsPerAcre = (gallonsPerThousand: number): number => gallonsPerThousand * 43.56

/** Fluid ounces of a product in a gallon of a spot mix, by percent of volume: 128 × percent (2 % is 2.56). */
export const ouncesPerGallon = (percent: number): number => (128 * percent) / 100

/** Gallons that water an area in: inches ÷ 12 × 7.48052 gal/cu ft; half an inch is 312 gal for 1,000 sq ft. */
export const waterGallons = (squareFeet: number, inches: number): number => ((squareFeet * inches) / 12) * 7.480_52
