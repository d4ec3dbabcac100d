import { screenIndex } from './screenFiles.ts'

export const crewFiles = screenIndex(import.meta.glob('../features/crewapp/web/**/*Screen.tsx'))

export const crewScreens: Readonly<Record<string, string>> = {
  '/employee-dashboard': 'crewapp/TodayScreen',
  '/employee-timeclock': 'crewapp/TimeClockScreen',
  '/employee-week-view': 'crewapp/WeekScreen',
  '/employee-chat': 'crewapp/ChatScreen',
  '/employee-profile': 'crewapp/CrewProfileScreen',
  '/employee-quotes': 'crewapp/CrewQuotesScreen',
  '/employee-timesheets': 'crewapp/CrewTimesheetsScreen',
  '/route-map': 'crewapp/CrewRouteScreen',
}
