/** Files as other programs write them, with invented people: one customer list each, and a list of jobs where they have one. */

export type ImportSample = {
  program: string
  fileName: string
  text: string
  /** What comes of it in a business that knows nobody. `leftOut` rows come in without something. */
  expects: {
    customers: number
    properties: number
    jobs: number
    balanceCents: number
    errors: number
    leftOut: number
  }
}

const rows = (...lines: string[]): string => `${lines.join('\r\n')}\r\n`

export const importSamples: readonly ImportSample[] = [
  {
    program: 'Jobber',
    fileName: 'jobber-clients.csv',
    text: rows(
      'J-ID,Display Name,Title,First Name,Last Name,Company Name,Is Company,Main Phone #,E-mails,Billing Street 1,Billing City,Billing State,Billing Zip code,Service Property Name,Service Street 1,Service Street 2,Service City,Service State,Service Zip code,Tags,Archived,Balance',
      '4711,Avery Example,Mrs.,Avery,Example,,false,(912) 555-0101,avery@example.test,1 Sample Ln,Savannah,GA,31401,Home,1 Sample Ln,,Savannah,GA,31401,"weekly, dog",false,$45.00',
      '4711,Avery Example,Mrs.,Avery,Example,,false,(912) 555-0101,avery@example.test,1 Sample Ln,Savannah,GA,31401,Rental,22 Mock St,Apt 3,Savannah,GA,31401,"weekly, dog",false,$45.00',
      '4712,"Placeholder, Inc.",,Blake,Placeholder,"Placeholder, Inc.",true,912-555-0102,office@placeholder.test; bills@placeholder.test,PO Box 9,Pooler,GA,31322,,300 Fiction Pkwy,,Pooler,GA,31322,,false,0.00',
      '4713,Casey Nobody,,Casey,Nobody,,false,912-555-0103,casey@nobody.test,,,,,,9 Pretend Ct,,Pooler,GA,31322,,true,-$20.00',
    ),
    expects: { customers: 3, properties: 4, jobs: 0, balanceCents: 4500, errors: 0, leftOut: 1 },
  },
  {
    program: 'Jobber',
    fileName: 'jobber-recurring-jobs.csv',
    text: rows(
      'Job #,Client name,Client email,Client phone,Service street,Service city,Service province,Service ZIP,Title,Schedule start date,Schedule end date,Visit frequency,Billing type,Visit price ($)',
      '101,Avery Example,avery@example.test,(912) 555-0101,1 Sample Ln,Savannah,GA,31401,Mowing,"Mar 02, 2026",,Weekly on Tuesdays,Per visit,45.00',
      '102,Blake Placeholder,office@placeholder.test,912-555-0102,300 Fiction Pkwy,Pooler,GA,31322,Mowing,"Mar 05, 2026",,Every 2 weeks on Thursdays,Per visit,"1,120.00"',
      '103,Drew Made-Up,drew@madeup.test,912-555-0104,5 Invented Way,Pooler,GA,31322,Bed weeding,"Mar 09, 2026",,Monthly on the first Monday,Per visit,80.00',
      '104,Emery Imaginary,emery@imaginary.test,912-555-0105,6 Invented Way,Pooler,GA,31322,Mowing,,,Whenever it rains,Per visit,40.00',
    ),
    expects: { customers: 4, properties: 4, jobs: 3, balanceCents: 0, errors: 0, leftOut: 1 },
  },
  {
    program: 'LawnPro',
    fileName: 'lawnpro-customers.csv',
    text: rows(
      'Customer Name,Email,Phone,Property Name,Property Address,City,State,Zip,Lawn Size,Service,Repeat,Service Day,Start Date,Service Rate,Balance',
      'Finley Fictional,finley@fictional.test,912-555-0111,Home,11 Novel St,Savannah,GA,31401,"5,500",Mowing,Every Week,Wednesday,3/4/2026,$48.00,$96.00',
      'Gray Unreal,gray@unreal.test,912-555-0112,Home,12 Novel St,Savannah,GA,31401,"8,000",Mowing,Every 2 Weeks,Friday,3/6/2026,$60.00,',
      'Harper Nil,harper@nil.test,912-555-0113,Home,13 Novel St,Savannah,GA,31401,,Mowing,Twice a month,,3/6/2026,$60.00,$0.00',
    ),
    expects: { customers: 3, properties: 3, jobs: 2, balanceCents: 9600, errors: 0, leftOut: 1 },
  },
  {
    program: 'Yardbook',
    fileName: 'yardbook-customers.csv',
    // Excel of a European machine: semicolons and Windows-1252, a line break in a cell
    text: rows(
      'Customer Name;Email;Phone;Address;City;State;Zip;Lot Size;Tags;Notes;Balance',
      'Zoë Müller;zoe@muller.test;912-555-0121;21 Fable Rd;Savannah;GA;31401;7200;biweekly;"Gate on the left.\nDog is friendly.";12.50',
      'Indigo Story;indigo@story.test;912-555-0122;22 Fable Rd;Savannah;GA;31401;6100;;;',
      ';nobody@story.test;912-555-0123;23 Fable Rd;Savannah;GA;31401;;;;',
    ),
    expects: { customers: 2, properties: 2, jobs: 0, balanceCents: 1250, errors: 1, leftOut: 0 },
  },
  {
    program: 'Service Autopilot',
    fileName: 'service-autopilot-services.csv',
    text: rows(
      'Account Number,Client Name,Email,Phone,Service Address,City,State,Zip,Lawn Size,Service,Service Frequency,Start Date,Amount Per Service,Budgeted Hours,Balance,Office Notes',
      'A-1,Jules Myth,jules@myth.test,912-555-0131,31 Legend Dr,Savannah,GA,31401,9000,Mowing,Weekly - Monday,3/2/2026,55.00,0.75,110.00,Pays by check',
      'A-1,Jules Myth,jules@myth.test,912-555-0131,31 Legend Dr,Savannah,GA,31401,9000,Fertilization,Every 6 weeks,3/16/2026,75.00,0.5,110.00,Pays by check',
      'A-2,Kai Saga,kai@saga.test,912-555-0132,32 Legend Dr,Savannah,GA,31401,7000,Mowing,Bi-Weekly,3/3/2026,50.00,0.5,,',
    ),
    expects: { customers: 2, properties: 2, jobs: 3, balanceCents: 11000, errors: 0, leftOut: 0 },
  },
  {
    program: 'QuickBooks',
    fileName: 'quickbooks-customers.csv',
    text: rows(
      'Customer Contact List,,,,,',
      'Example Lawn Care,,,,,',
      ',,,,,',
      'Customer full name,Phone numbers,Email,Bill address,Ship address,Open balance',
      '"Lane, Morgan",Phone: (912) 555-0141 Mobile: (912) 555-0142,morgan@lane.test,"41 Rumor St, Savannah, GA 31401","41 Rumor St, Savannah, GA 31401","1,240.50"',
      'Noel Tale,(912) 555-0143,noel@tale.test,"42 Rumor St, Savannah, GA 31401","42 Rumor St, Savannah, GA 31401",0.00',
    ),
    expects: { customers: 2, properties: 2, jobs: 0, balanceCents: 124050, errors: 0, leftOut: 0 },
  },
  {
    program: 'Housecall Pro',
    fileName: 'housecall-pro-customers.csv',
    text: rows(
      'First Name,Last Name,Display Name,Email,Company,Mobile Number,Home Number,Role,Tags,Address_1 Street Line 1,Address_1 Street Line 2,Address_1 City,Address_1 State,Address_1 Postal Code,Notes',
      'Oakley,Parable,Oakley Parable,oakley@parable.test,,9125550151,9125550152,,commercial,51 Poem Ave,,Savannah,GA,31401,Ring twice',
      'Perry,Quip,Perry Quip,perry@quip.test,Quip LLC,9125550153,,,,52 Poem Ave,Unit 4,Savannah,GA,31401,',
    ),
    expects: { customers: 2, properties: 2, jobs: 0, balanceCents: 0, errors: 0, leftOut: 0 },
  },
]

/** The bytes of a text as Excel on Windows saves it for a western language; only for letters that Latin-1 has. */
export const windows1252 = (text: string): Uint8Array =>
  Uint8Array.from([...text].map((letter) => letter.codePointAt(0) ?? 63))
