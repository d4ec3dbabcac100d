/** The real screens on the public pages: which file, how large it is shown at most, what a phone gets instead, and what is on it. Files have twice the pixels. `scripts/make-pictures.ts` takes them. */
export const pictures = {
  dashboard: {
    file: 'picture-dashboard.webp',
    width: 1208,
    height: 600,
    phone: { file: 'picture-dashboard-phone.webp', width: 390, height: 620 },
    alt: 'The dashboard at ten in the morning: what the day earned so far, drive time, what is owed, and a strip for each crew with the lawns already mowed.',
  },
  route: {
    file: 'picture-route.webp',
    width: 1208,
    height: 837,
    phone: { file: 'picture-route-phone.webp', width: 390, height: 723 },
    alt: 'The route map after Optimize: what the day drives and how much less that is than as booked, every crew’s stops on the map and as a list, and a strip for each crew.',
  },
  season: {
    file: 'picture-season.webp',
    width: 1208,
    height: 760,
    phone: { file: 'picture-season-phone.webp', width: 390, height: 723 },
    alt: 'One job for many customers: the filter, the service with its price by lawn, the weekday, and how many jobs and visits it makes.',
  },
  invoices: {
    file: 'picture-invoices.webp',
    width: 1440,
    height: 900,
    phone: { file: 'picture-invoices-phone.webp', width: 390, height: 780 },
    alt: 'Invoice finished visits: what each customer gets, who has no e-mail, which visits are left out and why, and the total before anything is sent.',
  },
  list: {
    file: 'picture-list.webp',
    width: 1208,
    height: 760,
    phone: { file: 'picture-list-phone.webp', width: 390, height: 723 },
    alt: 'The dry run of a customer list: how many come in, and the rows with a problem, each with its line and the reason.',
  },
  crew: {
    file: 'picture-crew.webp',
    width: 390,
    height: 780,
    alt: 'The crew app on a phone: the strip of the day, the stop being worked with its gate code behind a tap, mowing height, minutes, photos, and one large button: Finish.',
  },
} as const

export type PictureName = keyof typeof pictures

/** The files of all pictures, those for phones too. */
export const pictureFiles: readonly string[] = Object.values(pictures).flatMap((one) =>
  'phone' in one ? [one.file, one.phone.file] : [one.file],
)

/** The address of each picture's file in a build. */
export type PictureFiles = Readonly<Record<string, string>>
