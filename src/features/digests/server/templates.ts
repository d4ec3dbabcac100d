import { absoluteUrl } from '../../../platform/links.ts'
import { button, link, paragraph, small, type WrittenLetter, writeLetter } from '../../../platform/mail/letter.ts'
import { brand } from '../../../shared/brand.ts'
import { counted } from '../../../shared/counted.ts'
import { dayOf, formatDay, formatTime } from '../../../shared/dates.ts'
import { firstNameOf } from '../../../shared/names.ts'
import { paths } from '../../../shared/paths.ts'

/** So many are named; who has more opens the bell. */
export const mostInDigest = 40

type News = { title: string; content: string; path: string | null; createdAt: string }

/** A mail with what somebody has not read, the newest first. @param news one more than `mostInDigest` says that there are more */
export const digestMail = (
  person: { name: string; business: string },
  news: readonly News[],
  timeZone: string,
): WrittenLetter & { subject: string } => {
  const named = news.slice(0, mostInDigest)
  const count = news.length > mostInDigest ? `more than ${mostInDigest} things` : counted(news.length, 'thing')
  const parts = named.flatMap(({ title, content, path, createdAt }) => {
    const when = `${formatDay(dayOf(createdAt, timeZone))}, ${formatTime(createdAt, timeZone)}`
    return [
      paragraph([when, title, content].filter(Boolean).join(' · ')),
      ...(path ? [link('Open it', absoluteUrl(path))] : []),
    ]
  })
  return {
    subject: `${count[0]?.toUpperCase()}${count.slice(1)} you have not read, ${person.business}`,
    ...writeLetter({
      from: brand.name,
      parts: [
        paragraph(`Hello ${firstNameOf(person.name)}, this is what you have not read of ${person.business}.`),
        ...parts,
        button(`Open ${brand.name}`, absoluteUrl(paths.home)),
        small('You chose the hour of this mail, and can change it or end it, under Profile, You, What you hear of.'),
      ],
    }),
  }
}
