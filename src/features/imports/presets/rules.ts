import { headerKey, type ImportField } from '../rules.ts'

/** The programs whose files are known: by which headers a file of theirs is recognized, and what their headers mean where the words alone would mislead. */
export type Preset = {
  id: string
  name: string
  /** One of these sets of headers stands in a file of theirs, whole. */
  signs: readonly (readonly string[])[]
  /** What a header of theirs means; null is left out. Headers that are not here are read by their words. */
  fields: Readonly<Record<string, ImportField | null>>
}

const list = (text: string): string[] => text.split(', ').map(headerKey)

/** In the order in which they are asked: who writes headers that nobody else has comes first. */
export const presets: readonly Preset[] = [
  {
    id: 'swath',
    name: 'Swath',
    signs: [list('Swath customer, Swath details'), list('Swath customer, Swath job')],
    fields: {
      swathcustomer: 'externalId',
      swathcontacts: 'contacts',
      swathareas: 'areas',
      swathdetails: 'details',
      swathfields: 'customFields',
      swathjob: 'jobDetails',
    },
  },
  {
    id: 'jobber',
    name: 'Jobber',
    signs: [list('J-ID'), list('Display Name, Service Street 1')],
    fields: {
      jid: 'externalId',
      displayname: 'name',
      iscompany: null,
      title: null,
      textmessageenabledphone: 'phone',
      servicepropertyname: null,
    },
  },
  {
    id: 'jobber',
    name: 'Jobber',
    signs: [
      list('Client name, Visit frequency'),
      list('Client name, Service street, Job #'),
      list('Client name, Schedule start date'),
    ],
    fields: {
      clientname: 'name',
      servicepropertyname: null,
      servicestreet: 'street',
      serviceprovince: 'state',
      title: 'jobService',
      visitsrepeat: 'jobFrequency',
      visitfrequency: 'jobFrequency',
      billingfrequency: null,
      billingtype: null,
      schedulestartdate: 'jobStart',
      scheduleenddate: 'jobEnd',
      visitprice: 'jobPrice',
      lineitems: null,
      status: null,
      job: null,
    },
  },
  {
    id: 'housecall-pro',
    name: 'Housecall Pro',
    signs: [
      list('Mobile Number, Home Number, Display Name'),
      list('Mobile Number, Home Number, First Name'),
      list('Street Line 1, Mobile Number'),
      list('Address_1 Street Line 1, First Name'),
      list('Do Not Service, Display Name'),
    ],
    fields: {
      displayname: 'name',
      mobilenumber: 'phone',
      homenumber: 'phone',
      worknumber: 'phone',
      additionalemails: 'email',
      role: null,
      jobtitle: null,
      streetline1: 'street',
      streetline2: 'unit',
      address1streetline1: 'street',
      address1streetline2: 'unit',
      address1city: 'city',
      address1state: 'state',
      address1postalcode: 'zip',
      address1zipcode: 'zip',
      leadsource: null,
      donotservice: null,
      recurrence: 'jobFrequency',
      jobscheduledstartdate: 'jobStart',
      jobamount: 'jobPrice',
      jobdescription: 'jobService',
    },
  },
  {
    id: 'service-autopilot',
    name: 'Service Autopilot',
    signs: [
      list('Account Name, Account Status'),
      list('Client Name, Service Address, Map Code'),
      list('Client, Round, Service'),
      list('Account Number, Client Name, Service Frequency'),
      list('Master Schedule, Client'),
      list('Client Name, Budgeted Hours'),
    ],
    fields: {
      accountname: 'name',
      clientname: 'name',
      client: 'name',
      accountstatus: 'stage',
      accounttype: 'type',
      mapcode: null,
      officenotes: 'notes',
      fieldnotes: 'propertyNotes',
      lawnsize: 'lawnSquareFeet',
      amountperservice: 'jobPrice',
      servicefrequency: 'jobFrequency',
      schedule: 'jobFrequency',
      service: 'jobService',
      startdate: 'jobStart',
      balance: 'openBalance',
    },
  },
  {
    id: 'lawnpro',
    name: 'LawnPro',
    signs: [
      list('Customer Name, Property Name, Property Address'),
      list('Customer, Property, Service, Repeat'),
      list('Property Description, Service Rate'),
      list('Customer Since, Service Address, Service Day'),
      list('Customer Name, Lawn Size, Service Day'),
    ],
    fields: {
      customer: 'name',
      customername: 'name',
      customersince: null,
      propertyname: null,
      property: null,
      propertydescription: 'propertyNotes',
      servicerate: 'jobPrice',
      repeat: 'jobFrequency',
      serviceday: 'jobDay',
      balance: 'openBalance',
    },
  },
  {
    id: 'yardbook',
    name: 'Yardbook',
    signs: [
      list('Customer Name, Lot Size, Tags, Balance'),
      list('Customer, Property Address, Job, Repeat'),
      list('Customer Name, Job Name, Repeats'),
      list('Customer Name, Lot Size, Email'),
    ],
    fields: {
      customername: 'name',
      customer: 'name',
      job: 'jobService',
      jobname: 'jobService',
      repeat: 'jobFrequency',
      repeats: 'jobFrequency',
      lotsize: 'lawnSquareFeet',
      amount: 'jobPrice',
      balance: 'openBalance',
    },
  },
  {
    id: 'quickbooks',
    name: 'QuickBooks',
    signs: [
      list('BADDR1'),
      list('Display Name As'),
      list('Customer, Open Balance'),
      list('Customer, Balance Total'),
      list('Customer full name, Open balance'),
      list('Name, Company name, Open balance'),
      list('Customer full name, Phone numbers, Bill address'),
      list('Customer, Phone Numbers, Billing Address, Shipping Address'),
    ],
    fields: {
      customerfullname: 'name',
      customer: 'name',
      displaynameas: 'name',
      fullname: null,
      phonenumbers: 'phone',
      billaddress: 'billingStreet',
      billingaddress: 'billingStreet',
      shipaddress: 'address',
      shippingaddress: 'address',
      customertype: 'type',
      attachments: null,
      taxable: null,
      terms: null,
      rep: null,
      limit: null,
    },
  },
]

/** The program a file comes from, by headers that only it writes; null when it is not known. */
export const presetOf = (headers: readonly string[]): Preset | null => {
  const keys = new Set(headers.map(headerKey))
  return presets.find(({ signs }) => signs.some((sign) => sign.every((key) => keys.has(key)))) ?? null
}
