import { IconCalendar, IconClock, IconHome, IconMap2, IconMessage, IconUser } from '../ui/icons.ts'

export const chat = '/employee-chat'

/** The employee's sidebar of the specification; `dock` is the word of it that fits under a thumb. */
export const crewNav = [
  { label: 'Dashboard', dock: 'Dashboard', es: 'Hoy', href: '/employee-dashboard', icon: IconHome },
  { label: 'Time Clock', dock: 'Clock', es: 'Reloj', href: '/employee-timeclock', icon: IconClock },
  { label: 'Schedule', dock: 'Schedule', es: 'Días', href: '/employee-week-view', icon: IconCalendar },
  { label: 'Route Map', dock: 'Route', es: 'Ruta', href: '/route-map', icon: IconMap2 },
  { label: 'Chat with Admin', dock: 'Chat', es: 'Chat', href: chat, icon: IconMessage },
  { label: 'Profile', dock: 'Profile', es: 'Perfil', href: '/employee-profile', icon: IconUser },
]
