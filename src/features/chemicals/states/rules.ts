/**
 * What a record has to hold by the law of a state, as far as we found it, each with where it is written. A business checks this with its own
 * regulator: rules change, and states that are not listed ask for what the federal rule asks.
 */

export const recordFields = [
  'area',
  'time',
  'products',
  'epaNumber',
  'amount',
  'rate',
  'target',
  'method',
  'equipment',
  'wind',
  'temperature',
  'applicator',
  'license',
  'signPosted',
  'notice',
  'disposal',
] as const
export type RecordField = (typeof recordFields)[number]

export type StateRule = {
  needs: readonly RecordField[]
  /** How long the state wants the record kept; ours are kept five years. */
  keepYears: number
  /** Where the rule is written. */
  source: string
}

/** 7 CFR 110 and what EPA asks of commercial use of restricted products; taken for all applications, since a customer asks the same of all. */
export const federalRule: StateRule = {
  needs: ['area', 'time', 'products', 'epaNumber', 'amount', 'applicator'],
  keepYears: 2,
  source: 'https://www.asmark.org/compliance-library/restricted-use-pesticide-records/',
}

export const stateRules: Readonly<Record<string, StateRule>> = {
  GA: {
    needs: ['rate', 'target', 'equipment'],
    keepYears: 2,
    source: 'http://rules.sos.ga.gov/GAC/40-21-5',
  },
  IN: {
    needs: ['license', 'signPosted', 'notice'],
    keepYears: 2,
    source: 'https://oisc.purdue.edu/pesticide/lawn_posting_requirements.html',
  },
  NY: {
    needs: ['signPosted'],
    keepYears: 3,
    source: 'https://www.nysenate.gov/legislation/laws/ENV/33-1003',
  },
  OH: {
    needs: ['signPosted', 'notice'],
    keepYears: 3,
    source: 'http://pested.osu.edu/commercialapplicator/lawnposting',
  },
  PA: {
    needs: ['rate'],
    keepYears: 3,
    source:
      'http://extension.psu.edu/pests/pesticide-education/applicators/recertification/faq-other/do-i-have-to-keep-records-of-my-pesticide-applications',
  },
  TX: {
    needs: ['rate', 'target', 'license'],
    keepYears: 2,
    source: 'https://texreg.sos.state.tx.us (Title 4, section 7.143)',
  },
}

/** What a record of a state has to hold: the federal rule, and on top of it the state's own where we know it. */
export const neededIn = (state: string): readonly RecordField[] => [
  ...new Set([...federalRule.needs, ...(stateRules[state.toUpperCase()]?.needs ?? [])]),
]

/** Where the rule of a state is written, the federal one where we know no other. */
export const sourceOf = (state: string): string => (stateRules[state.toUpperCase()] ?? federalRule).source
