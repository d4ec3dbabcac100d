import type { Refusal } from '../../shared/can.ts'
import { toE164 } from '../../shared/phone.ts'
import { type CustomField, isHeaderOf } from '../customers/custom/rules.ts'

/** What a column of a customer list can hold, with the header spellings that mean it (letters and digits only, in lower case). */
export const importFields = {
  name: {
    label: 'Full name',
    group: 'Customer',
    headers:
      'name fullname customer customername clientname client displayname displaynameas contactname accountname primarycontact contact homeowner owner cont1',
  },
  firstName: { label: 'First name', group: 'Customer', headers: 'firstname first givenname fname' },
  lastName: { label: 'Last name', group: 'Customer', headers: 'lastname last surname familyname lname' },
  company: {
    label: 'Company',
    group: 'Customer',
    headers: 'company companyname business businessname organization organization',
  },
  email: {
    label: 'E-mail',
    group: 'Customer',
    headers: 'email emails emailaddress mail primaryemail mainemail contactemail customeremail clientemail email1',
  },
  phone: {
    label: 'Phone',
    group: 'Customer',
    headers:
      'phone phones phonenumber mainphone mobile mobilephone mobilenumber cell cellphone cellnumber telephone tel homephone primaryphone phone1 phone2 altphone workphone textmessageenabledphone contactphone customerphone',
  },
  street: {
    label: 'Street',
    group: 'Property',
    headers:
      'street streetaddress street1 address1 addressline1 addr1 streetline1 servicestreet servicestreet1 serviceaddress serviceaddress1 serviceaddressline1 propertystreet propertystreet1 propertyaddress propertyaddress1 siteaddress jobaddress shippingstreet shippingaddressline1 shipaddress1 saddr1 locationaddress',
  },
  unit: {
    label: 'Unit',
    group: 'Property',
    headers:
      'unit apt apartment suite street2 address2 addressline2 addr2 servicestreet2 serviceaddress2 serviceaddressline2 propertystreet2 propertyaddress2 shippingaddressline2 unitnumber aptnumber',
  },
  city: {
    label: 'City',
    group: 'Property',
    headers: 'city town servicecity propertycity shippingcity shippingaddresscity shipcity sitecity serviceaddresscity',
  },
  state: {
    label: 'State',
    group: 'Property',
    headers:
      'state province region stateprovince provincestate servicestate serviceprovince serviceprovincestate propertystate propertyprovincestate shippingstate shippingaddressstate shipstate serviceaddressstate',
  },
  zip: {
    label: 'ZIP code',
    group: 'Property',
    headers:
      'zip zipcode postalcode postcode postal zippostalcode postalcodezip servicezip servicezipcode servicepostalcode servicepostalcodezip servicezippostalcode propertyzip propertyzipcode propertypostalcode shippingzip shippingaddresspostalcode shipzip serviceaddresszip',
  },
  address: {
    label: 'Whole address in one cell',
    group: 'Property',
    headers: 'address fulladdress completeaddress mailingaddress location shipto shippingaddress property',
  },
  latitude: { label: 'Latitude', group: 'Property', headers: 'latitude lat y gpslatitude' },
  longitude: { label: 'Longitude', group: 'Property', headers: 'longitude lon lng long x gpslongitude' },
  lawnSquareFeet: {
    label: 'Lawn size (sq ft)',
    group: 'Property',
    headers:
      'lawn lawnsize lawnsizesqft lawnsqft lawnsquarefeet lawnsquarefootage lawnsf lawnarea lawnareasqft turf turfsqft turfsquarefeet turfsize turfsizesqft turfarea turfareasqft turfsf grass grasssqft grassarea sqft sqfeet squareft squarefeet squarefootage sqfootage sf propertysize propertysqft propertysquarefeet yard yardsize yardsqft yardsizesqft yardarea mowablearea mowableareasqft mowablesqft mowingarea mowarea treatedarea treatablesqft measuredsqft measuredarea totalsqft lot lotsize lotsizesqft lotsqft lotsquarefeet lotarea area areasqft size sizesqft',
  },
  lawnAcres: {
    label: 'Lawn size (acres)',
    group: 'Property',
    headers: 'acres acre acreage lawnacres lawnsizeacres lawnacreage turfacres lotacres lotsizeacres lotacreage',
  },
  mowHeight: {
    label: 'Mow height (in)',
    group: 'Property',
    headers: 'mowheight mowingheight cutheight cuttingheight mowheightinches',
  },
  gateCode: { label: 'Gate code', group: 'Property', headers: 'gatecode gate entrycode accesscode gatecombination' },
  dog: { label: 'Dog', group: 'Property', headers: 'dog dogs pet pets dogname' },
  parking: { label: 'Parking', group: 'Property', headers: 'parking parkingnotes' },
  noGo: { label: 'No-go zones', group: 'Property', headers: 'nogo nogozones donotmow' },
  propertyNotes: {
    label: 'Property notes',
    group: 'Property',
    headers: 'propertynotes accessnotes sitenotes servicenotes locationnotes instructions specialinstructions',
  },
  tags: { label: 'Tags', group: 'Customer', headers: 'tags tag labels groups group category' },
  notes: {
    label: 'Notes',
    group: 'Customer',
    headers: 'notes note comments comment memo customernotes clientnotes notepad',
  },
  stage: {
    label: 'Stage (lead, active, past)',
    group: 'Customer',
    headers: 'stage status customerstatus clientstatus',
  },
  type: { label: 'Residential or commercial', group: 'Customer', headers: 'type customertype clienttype propertytype' },
  billingStreet: {
    label: 'Billing street',
    group: 'Billing',
    headers:
      'billingstreet billingstreet1 billingaddress billingaddress1 billingaddressline1 billaddress1 billto baddr1 mailingstreet',
  },
  billingCity: {
    label: 'Billing city',
    group: 'Billing',
    headers: 'billingcity billingaddresscity billcity mailingcity',
  },
  billingState: {
    label: 'Billing state',
    group: 'Billing',
    headers: 'billingstate billingprovince billingprovincestate billingaddressstate billstate mailingstate',
  },
  billingZip: {
    label: 'Billing ZIP',
    group: 'Billing',
    headers:
      'billingzip billingzipcode billingpostalcode billingpostalcodezip billingzippostalcode billingaddresspostalcode billzip mailingzip',
  },
  externalId: {
    label: 'Their number of the customer',
    group: 'Customer',
    headers:
      'jid customerid clientid accountid customernumber clientnumber accountnumber account customerno clientno accountno refnum',
  },
  archived: { label: 'Archived (yes or no)', group: 'Customer', headers: 'archived isarchived' },
  jobService: {
    label: 'Service of the job',
    group: 'Job',
    headers:
      'service services servicename serviceitem jobservice jobtitle jobname jobtype jobdescription lineitem lineitems productservice',
  },
  jobFrequency: {
    label: 'How often',
    group: 'Job',
    headers:
      'frequency servicefrequency visitfrequency jobfrequency repeats repeat recurrence recurring schedule scheduletype visitsrepeat recurrencepattern howoften interval',
  },
  jobDay: {
    label: 'Day of the week',
    group: 'Job',
    headers: 'day days dayofweek weekday serviceday servicedays scheduledday scheduleday mowday routeday visitday',
  },
  jobStart: {
    label: 'First day of the job',
    group: 'Job',
    headers:
      'startdate jobstart jobstartdate servicestart servicestartdate schedulestartdate scheduledstart scheduledstartdate firstvisit startson nextservicedate nextvisit nextservice nextscheduled scheduleddate',
  },
  jobEnd: {
    label: 'Last day of the job',
    group: 'Job',
    headers: 'enddate jobend jobenddate serviceend serviceenddate scheduleenddate scheduledenddate lastvisit endson',
  },
  jobPrice: {
    label: 'Price of a visit',
    group: 'Job',
    headers:
      'price rate visitprice pricepervisit pervisit serviceprice servicerate unitprice jobprice jobtotal jobamount amountpervisit costpervisit',
  },
  jobMinutes: {
    label: 'Minutes of work',
    group: 'Job',
    headers: 'minutes budgetedminutes jobminutes estimatedminutes durationminutes budgetminutes',
  },
  jobNotes: {
    label: 'Instructions for the job',
    group: 'Job',
    headers: 'jobinstructions jobnotes visitinstructions crewnotes jobdetails jobmemo',
  },
  openBalance: {
    label: 'Open balance',
    group: 'Balance',
    headers:
      'openbalance balance balancedue accountbalance customerbalance clientbalance currentbalance amountdue amountowed outstandingbalance balancetotal owes totaldue openbalanceusd',
  },
  balanceOn: {
    label: 'Day of the balance',
    group: 'Balance',
    headers: 'balancedate openbalancedate balanceasof asof asofdate balanceon',
  },
  contacts: { label: 'Contacts (as Swath exports them)', group: 'From Swath', headers: 'swathcontacts' },
  areas: { label: 'Areas (as Swath exports them)', group: 'From Swath', headers: 'swathareas' },
  customFields: { label: 'Custom fields (as Swath exports them)', group: 'From Swath', headers: 'swathfields' },
  details: { label: 'Details (as Swath exports them)', group: 'From Swath', headers: 'swathdetails' },
  jobDetails: { label: 'Job (as Swath exports it)', group: 'From Swath', headers: 'swathjob' },
} as const

export type ImportField = keyof typeof importFields
export const importFieldIds = Object.keys(importFields) as ImportField[]

/** The groups of fields, as a person chooses from them. */
export const importGroups = ['Customer', 'Property', 'Billing', 'Job', 'Balance', 'From Swath'] as const

/** Fields that book work, and fields that say what is owed: both are for who may see money. */
export const jobFields: ReadonlySet<ImportField> = new Set(
  importFieldIds.filter((id) => importFields[id].group === 'Job'),
)
export const balanceFields: ReadonlySet<ImportField> = new Set(['openBalance', 'balanceOn'])

const priceFields: ReadonlySet<string> = new Set<ImportField>(['jobPrice', 'openBalance'])

/** Whether what is said of a field may name a price or a balance. */
export const isOfMoney = (field: string): boolean => priceFields.has(field)

/**
 * Cells of one row, or something else per column, without what people who may not see money are not shown: columns that are read as money, and
 * those that are called so, also while nobody reads them.
 */
export const withoutMoney = <T>(
  cells: readonly T[],
  { mapping, columns }: { mapping: Mapping; columns: readonly { header: string }[] },
  nothing: T,
): T[] =>
  cells.map((cell, at) =>
    [mapping[at], fieldOfHeader(columns[at]?.header ?? '')].some((field) => field && isOfMoney(field)) ? nothing : cell,
  )

/** Several columns may hold these; their contents are joined, or the first that is filled counts. */
const repeatable: ReadonlySet<ImportField> = new Set(['phone', 'email', 'notes', 'propertyNotes', 'tags'])

/** A column that holds a custom field, by the id of the field. */
export type CustomColumn = `custom:${string}`
export type ColumnField = ImportField | CustomColumn
export const customColumn = (fieldId: string): CustomColumn => `custom:${fieldId}`
export const isCustomColumn = (field: string | null): field is CustomColumn => field?.startsWith('custom:') ?? false
export const customIdOf = (field: CustomColumn): string => field.slice('custom:'.length)

/** For each column what it holds, or null when it is left out. */
export type Mapping = readonly (ColumnField | null)[]

/** A mapping with columns for the custom fields that head them, and without those of fields that are gone. */
export const withCustomColumns = (
  mapping: Mapping,
  headers: readonly string[],
  fields: readonly CustomField[],
): (ColumnField | null)[] => {
  const live = fields.filter(({ archivedAt }) => archivedAt === null)
  const kept = mapping.map((field) =>
    isCustomColumn(field) && !live.some(({ id }) => id === customIdOf(field)) ? null : field,
  )
  const taken = new Set(kept.filter(isCustomColumn))
  return kept.map((field, at) => {
    const header = headers[at] ?? ''
    const found = live.find((one) => isHeaderOf(one, header, fieldOfHeader(header) !== null || field !== null))
    if (!found || taken.has(customColumn(found.id)) || isCustomColumn(field)) return field
    taken.add(customColumn(found.id))
    return customColumn(found.id)
  })
}

type Named = { field: ImportField /** The first spellings of a field are the surest. */; rank: number }

const byHeader = new Map<string, Named>(
  importFieldIds.flatMap((field) =>
    importFields[field].headers.split(' ').map((h, rank) => [h, { field, rank }] as const),
  ),
)

/** One spelling of a header: letters and digits, in lower case. */
export const headerKey = (header: string): string =>
  header
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')

/** "Phone no." and "Phone number" are "Phone", where the whole says nothing. */
const shortKey = (header: string): string => headerKey(header.replace(/\bno\b|\bnumber\b/gi, ''))

const namedBy = (header: string): Named | null =>
  byHeader.get(headerKey(header)) ??
  byHeader.get(shortKey(header)) ??
  byHeader.get(shortKey(header.replace(/\(.*?\)/g, ''))) ??
  null

/** The field that a header names, or null. Order, case, blanks and punctuation do not matter. */
export const fieldOfHeader = (header: string): ImportField | null => namedBy(header)?.field ?? null

const looksLike: [field: ImportField, test: (text: string) => boolean][] = [
  ['email', (t) => /^\S+@\S+\.\S+$/.test(t)],
  ['phone', (t) => toE164(t) !== null && /^[\d\s().+-]+$/.test(t)],
  ['zip', (t) => /^\d{5}(-\d{4})?$/.test(t)],
  ['latitude', (t) => /^[1-7]\d\.\d{3,}$/.test(t)],
  ['longitude', (t) => /^-(1[0-7]|[6-9])\d\.\d{3,}$/.test(t)],
  ['address', (t) => /^\d+\S*\s+.+,.+\b[A-Za-z]{2}\s+\d{5}/.test(t)],
  ['street', (t) => /^\d+\S*\s+\p{L}/u.test(t) && !t.includes(',')],
  ['state', (t) => /^[A-Z]{2}$/.test(t)],
]

/**
 * Proposes what each column holds: first by its header, then, for what is still missing, by its contents. A field is proposed once.
 * @param columns header and a few filled cells of each column
 * @param known what the headers of a program mean that we know; null is left out
 */
export const guessMapping = (
  columns: readonly { header: string; samples: readonly string[] }[],
  known: Readonly<Record<string, ImportField | null>> = {},
): (ImportField | null)[] => {
  const taken = new Set<ImportField>()
  const take = (field: ImportField | null): ImportField | null => {
    if (field === null || (taken.has(field) && !repeatable.has(field))) return null
    taken.add(field)
    return field
  }
  const isKnown = (header: string) => Object.hasOwn(known, headerKey(header))
  const named = columns.map(({ header, samples }) => {
    const preset = known[headerKey(header)]
    if (isKnown(header)) return preset ? { field: preset, rank: -1 } : null
    const found = namedBy(header)
    // "Lawn" is also what a list calls the kind of grass
    const isNoSize = found?.field === 'lawnSquareFeet' && samples.length > 0 && !samples.some((s) => /\d/.test(s))
    return isNoSize ? null : found
  })
  const surest = (field: ImportField) => Math.min(...named.map((one) => (one?.field === field ? one.rank : Infinity)))
  const mapping = named.map((one) =>
    one && (repeatable.has(one.field) || one.rank === surest(one.field)) ? take(one.field) : null,
  )
  for (const [field, test] of looksLike) {
    if (
      taken.has(field) ||
      (field === 'address' && taken.has('street')) ||
      (field === 'street' && taken.has('address'))
    )
      continue
    const at = columns.findIndex(
      (c, i) => mapping[i] === null && !isKnown(c.header) && c.samples.length > 0 && c.samples.every(test),
    )
    if (at >= 0) mapping[at] = take(field)
  }
  // A list that knows only a billing address means the place where the work is, too.
  if (!taken.has('street') && !taken.has('address')) {
    const move = { billingStreet: 'street', billingCity: 'city', billingState: 'state', billingZip: 'zip' } as const
    const isWhole = !taken.has('billingCity') && !taken.has('billingZip')
    for (const [index, field] of mapping.entries())
      if (field !== null && field in move)
        mapping[index] = take(isWhole && field === 'billingStreet' ? 'address' : move[field as keyof typeof move])
  }
  return mapping
}

export type MappingProblem = { path: string; message: string }

/** What is wrong with a mapping as a whole; nothing is checked row by row before this is empty. */
export const mappingProblems = (mapping: Mapping): MappingProblem[] => {
  const used = mapping.filter((field) => field !== null)
  const has = (...fields: ImportField[]) => fields.some((field) => used.includes(field))
  const twice = importFieldIds.filter((field) => !repeatable.has(field) && used.filter((u) => u === field).length > 1)
  return [
    ...(has('name', 'lastName', 'firstName', 'company')
      ? []
      : [{ path: 'mapping', message: "Choose the column with the customer's name." }]),
    ...(has('street', 'address', ...jobFields, ...balanceFields)
      ? []
      : [{ path: 'mapping', message: 'Choose the column with the street.' }]),
    ...(new Set(used.filter(isCustomColumn)).size < used.filter(isCustomColumn).length
      ? [
          {
            path: 'mapping',
            message: 'Two columns are set to the same custom field. Keep one and leave the other out.',
          },
        ]
      : []),
    ...twice.map((field) => ({
      path: 'mapping',
      message: `Two columns are set to "${importFields[field].label}". Keep one and leave the other out.`,
    })),
  ]
}

/**
 * How many customers a confirmed check brings in, and how many of them archived because the plan holds no more.
 * @param limit customers the plan holds; null is no limit
 */
export const expectedCustomers = (
  found: { customerCount: number; duplicateCount: number; plan: { limit: number | null; customers: number } },
  duplicates: DuplicateChoice,
): { customers: number; archived: number } => {
  const customers = found.customerCount + (duplicates === 'import' ? found.duplicateCount : 0)
  const { limit, customers: active } = found.plan
  const room = limit === null ? customers : Math.max(0, limit - active)
  return { customers, archived: Math.max(0, customers - room) }
}

export const importActions = ['setMapping', 'check', 'setServices', 'confirm', 'undo'] as const
export type ImportAction = (typeof importActions)[number]
export type ImportFacts = { status: string; okCount: number; duplicateCount: number }

/** What is done with a row of somebody who is there already: left out, used to fill what is empty, or brought in as another customer. */
export const duplicateChoices = ['skip', 'update', 'import'] as const
export type DuplicateChoice = (typeof duplicateChoices)[number]

const startedRefusal: Refusal<ImportFacts> = ({ status }) =>
  status === 'uploaded' || status === 'checked'
    ? null
    : 'This import was started already. Nothing was changed; bring the file again for a new one.'

/** Why the state of an import refuses what somebody would do with it. */
export const importRefusals: Record<ImportAction, Refusal<ImportFacts>> = {
  setMapping: startedRefusal,
  check: startedRefusal,
  setServices: (facts) =>
    facts.status === 'uploaded' ? 'Check the rows first. Nothing was changed.' : startedRefusal(facts),
  confirm: (facts) =>
    facts.status === 'uploaded'
      ? 'Check the rows first. Nothing was imported.'
      : (startedRefusal(facts) ??
        (facts.okCount + facts.duplicateCount === 0
          ? 'There is no row that can be imported. Nothing was changed.'
          : null)),
  undo: ({ status }) => (status === 'done' ? null : 'Only a finished import can be undone. Nothing was changed.'),
}
