// SPDX-License-Identifier: Apache-2.0
// What people and the scripted model say on the screens, in both languages.

const en = {
  search: "passport",
  old: { ask: "What should I pack for three days in Lisbon?", answer: "Light clothes, a jumper for the evenings, your passport and good shoes: the hills are steep." },
  markdown: {
    ask: "How do I make a backup of a folder every night?",
    thought: "They want something that runs by itself. A small script and cron will do; I should say how to check that it works.",
    answer: `A small script and one line for \`cron\` are enough.

## The script

\`\`\`bash
#!/bin/sh
# Keeps one archive for each day of the week.
day=$(date +%u)
tar -czf "$HOME/backups/notes-$day.tar.gz" "$HOME/notes"
\`\`\`

## The line for cron

1. Open the table with \`crontab -e\`.
2. Add **one line**: \`30 2 * * * ~/bin/backup.sh\`
3. Look at the result the next morning:
   - [x] the archive is there
   - [ ] it can be unpacked

| day | archive | kept for |
|:--|:--|--:|
| Monday | notes-1.tar.gz | 7 days |
| Tuesday | notes-2.tar.gz | 7 days |

> An archive nobody has ever unpacked is a hope, not a backup.

More on [the format of the table](https://man7.org/linux/man-pages/man5/crontab.5.html), and a picture that is not loaded: ![a calendar](https://pictures.example/calendar.png)`,
  },
  offer: { ask: "Save my shopping list", file: { path: "lists/shopping.md", content: "- milk\n- bread\n- apples" }, answer: "I may only look things up in this mode, so nothing was written. In Act I can do it, and you are asked first." },
  shell: { ask: "How full is my disk?", answer: "I would have to run a command for that, and the shell is switched off." },
  error: { ask: "Translate this letter for me" },
  steps: ["Find out the time there", "Work out the cost", "Keep a note", "Sum up"],
  tools: {
    ask: "Two nights in Lisbon for two: what will it cost, and is it a good time to call the hotel?",
    first: "I look at the clock there first, then I do the sum.",
    place: "Lisbon",
    sum: "2 * 89 + 2 * 2 * 34",
    note: "Planning two nights in Lisbon for two people; hotel about 89 € a night.",
    last: "That is everything I need.",
    end: "The two nights come to **314 €**: 178 € for the room and 136 € for food. It is daytime in Lisbon, so the hotel will answer.",
  },
  plain: { ask: "Please keep the packing list as a file", say: "I write it into your folder.", file: { path: "trips/lisbon-packing.md", content: "# Lisbon, three days\n\n- passport\n- light clothes, one jumper\n- good shoes: the hills are steep\n- charger" }, end: "It is kept." },
  confirm: {
    ask: "Look at how much space my photos take, and note what a bigger disk would cost",
    steps: ["Measure the photos", "Work out the price", "Write the note"],
    first: "First I measure the folder.",
    command: "printf '148G\\t~/Pictures\\n'",
    second: "148 GB. Now the price of a disk with room to grow.",
    sum: "148 GB * 2 / 1000 * 62",
    file: { path: "notes/new-disk.md", content: "# A bigger disk\n\nThe photos take 148 GB. With twice the room, a 500 GB disk for about 45 € is enough for the next years." },
    end: "The note is written.",
  },
  question: { ask: "Book a table for Saturday", steps: ["Look at the calendar", "Ask how many", "Book the table"], say: "Gladly. One thing first.", args: { question: "How many of you will there be, and inside or outside?", choices: ["Two, outside", "Two, inside", "Four, outside"] }, end: "Thank you." },
  crash: { ask: "Put my photos in order", say: "I sort them by year.", command: "echo sorted", end: "I will look before I go on." },
};

const zh = {
  search: "护照",
  old: { ask: "去里斯本三天应该带些什么？", answer: "轻便的衣服，一件晚上穿的毛衣，护照，还有一双好走的鞋：那里坡很多。" },
  markdown: {
    ask: "怎样每天晚上自动备份一个文件夹？",
    thought: "需要能自动运行的办法。一个小脚本加 cron 就够了，还要说明如何检查结果。",
    answer: `一个小脚本，再加一行 \`cron\` 就够了。

## 脚本

\`\`\`bash
#!/bin/sh
# 一周里每天保留一份压缩包。
day=$(date +%u)
tar -czf "$HOME/backups/notes-$day.tar.gz" "$HOME/notes"
\`\`\`

## cron 的那一行

1. 用 \`crontab -e\` 打开表格。
2. 加上**一行**：\`30 2 * * * ~/bin/backup.sh\`
3. 第二天早上看一看结果：
   - [x] 压缩包在那里
   - [ ] 可以解开

| 日子 | 压缩包 | 保留 |
|:--|:--|--:|
| 星期一 | notes-1.tar.gz | 7 天 |
| 星期二 | notes-2.tar.gz | 7 天 |

> 从来没有解开过的压缩包只是希望，不是备份。

更多内容见[表格的格式](https://man7.org/linux/man-pages/man5/crontab.5.html)，还有一张不会加载的图片：![日历](https://pictures.example/calendar.png)`,
  },
  offer: { ask: "把我的购物清单存下来", file: { path: "清单/购物.md", content: "- 牛奶\n- 面包\n- 苹果" }, answer: "在这个模式里我只能查看，所以什么都没有写。换到“行动”，我就可以写，而且会先问你。" },
  shell: { ask: "我的硬盘还剩多少空间？", answer: "这需要运行一条命令，而 Shell 是关着的。" },
  error: { ask: "帮我翻译这封信" },
  steps: ["查看当地时间", "算出费用", "记下来", "总结"],
  tools: {
    ask: "两个人在里斯本住两晚要多少钱？现在给酒店打电话合适吗？",
    first: "我先看当地的时间，再算一算。",
    place: "Lisbon",
    sum: "2 * 89 + 2 * 2 * 34",
    note: "正在计划两个人在里斯本住两晚；酒店大约每晚 89 欧元。",
    last: "需要的都有了。",
    end: "两晚一共 **314 欧元**：房费 178 欧元，吃饭 136 欧元。里斯本现在是白天，酒店会有人接电话。",
  },
  plain: { ask: "请把行李清单存成文件", say: "我把它写进你的文件夹。", file: { path: "旅行/里斯本-行李.md", content: "# 里斯本，三天\n\n- 护照\n- 轻便的衣服，一件毛衣\n- 好走的鞋：坡很多\n- 充电器" }, end: "已经存好了。" },
  confirm: {
    ask: "看看我的照片占多少空间，再记下换一块大硬盘要多少钱",
    steps: ["量一量照片", "算出价格", "写下笔记"],
    first: "先量一量文件夹。",
    command: "printf '148G\\t~/Pictures\\n'",
    second: "148 GB。现在算一块还有余量的硬盘的价格。",
    sum: "148 GB * 2 / 1000 * 62",
    file: { path: "笔记/新硬盘.md", content: "# 更大的硬盘\n\n照片占 148 GB。留一倍的余量，一块 500 GB、大约 45 欧元的硬盘够用好几年。" },
    end: "笔记写好了。",
  },
  question: { ask: "帮我订星期六的位子", steps: ["看一看日历", "问一共几位", "订位子"], say: "好的，先问一件事。", args: { question: "一共几位？坐里面还是外面？", choices: ["两位，外面", "两位，里面", "四位，外面"] }, end: "谢谢。" },
  crash: { ask: "把我的照片整理一下", say: "我按年份来整理。", command: "echo sorted", end: "我先看一看，再继续。" },
};

export const STORIES = { en, zh };
