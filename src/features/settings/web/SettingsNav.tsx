import { type ReactNode, useState } from 'react'
import {
  IconBuildingStore,
  IconCalendar,
  IconCash,
  IconChevronRight,
  IconDatabase,
  IconMessage,
  IconPalette,
  IconPlugConnected,
  IconReceipt,
  IconShieldLock,
  IconUser,
  IconUsers,
} from '../../../ui/icons.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { SearchInput } from '../../../ui/SearchInput.tsx'
import { type SettingsSection, searchSettings, settingsHref } from './settingsIndex.ts'

const icons: Readonly<Record<string, ReactNode>> = {
  you: <IconUser />,
  security: <IconShieldLock />,
  business: <IconBuildingStore />,
  schedule: <IconCalendar />,
  messages: <IconMessage />,
  money: <IconCash />,
  brand: <IconPalette />,
  team: <IconUsers />,
  plan: <IconReceipt />,
  data: <IconDatabase />,
  integrations: <IconPlugConnected />,
}

type Props = {
  sections: readonly SettingsSection[]
  /** The section on the screen. */
  current: string | null
  /** Cards with something typed that is not saved. */
  unsaved: ReadonlySet<string>
}

const Hits = ({ sections, typed }: { sections: readonly SettingsSection[]; typed: string }) => {
  const hits = searchSettings(sections, typed)
  return (
    <>
      <p className="ui-hidden" role="status">
        {hits.length === 1 ? 'One setting found' : `${hits.length} settings found`}
      </p>
      {hits.length === 0 ? (
        <p className="hint settings-nav__none">No setting is called “{typed.trim()}”.</p>
      ) : (
        <ul>
          {hits.map(({ section, card }) => (
            <li key={card.id}>
              <LinkTo className="settings-nav__link settings-nav__hit" href={settingsHref(section.id, card.id)}>
                {icons[section.id]}
                <span className="settings-nav__words">
                  <b>{card.label}</b>
                  {card.label === section.label ? null : <span className="hint">{section.label}</span>}
                </span>
              </LinkTo>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** The left index of the settings, and on a phone their first page. */
export const SettingsNav = ({ sections, current, unsaved }: Props) => {
  const [typed, setTyped] = useState('')
  return (
    <nav className="settings-nav" aria-label="Settings">
      <SearchInput value={typed} onChange={setTyped} label="Search the settings" />
      {typed.trim() ? (
        <Hits sections={sections} typed={typed} />
      ) : (
        <ul>
          {sections.map(({ id, label, hint, cards }) => (
            <li key={id}>
              <LinkTo
                className="settings-nav__link"
                href={settingsHref(id)}
                {...(id === current ? { 'aria-current': 'page' as const } : {})}
              >
                {icons[id]}
                <span className="settings-nav__words">
                  <b>{label}</b>
                  <span className="hint">{hint}</span>
                </span>
                {cards.some((card) => unsaved.has(card.id)) ? (
                  <span className="settings-nav__unsaved">not saved</span>
                ) : null}
                <IconChevronRight className="settings-nav__on" aria-hidden="true" />
              </LinkTo>
            </li>
          ))}
        </ul>
      )}
    </nav>
  )
}
